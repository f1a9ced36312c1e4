#!/bin/sh
# The tests drive a real browser, a real sandbox and a real C++ compiler. Where we may, install what is missing; elsewhere say what to do.
missing=""
command -v bwrap >/dev/null || missing="bubblewrap"
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="$missing chromium"
command -v g++ >/dev/null || command -v clang++ >/dev/null || missing="$missing g++"
command -v objdump >/dev/null || missing="$missing binutils"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # shellcheck disable=SC2086
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing libc6-dev >/dev/null
else
  echo "Some tests will be skipped on this machine: install $missing to run them."
fi
exit 0
