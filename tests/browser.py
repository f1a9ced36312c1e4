"""The browser that tests drive, where there is one."""

import contextlib
import shutil

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed here")

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip

needs_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine"),
]


@contextlib.contextmanager
def opened(width=1300, height=1000):
    """An empty page."""
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=QUIET)
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(60_000)
        try:
            yield page
        finally:
            browser.close()
