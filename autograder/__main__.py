"""python -m autograder is the command `tilewise`."""

import sys

from .shell.doctor import INSTALL

try:
    from .shell.cli import main
except ModuleNotFoundError as error:
    sys.exit(f"tilewise: {error.name} is not installed; {INSTALL} {error.name} installs it.")

main()
