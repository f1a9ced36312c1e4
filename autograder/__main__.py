"""python -m autograder is the command `tilewise`."""

import sys

from .shell.ctrl_c import leaving_at_once


def main() -> None:
    """Run the command line; what it takes to do so is not there yet."""
    with leaving_at_once():
        try:
            from .shell import cli
        except ModuleNotFoundError as error:
            from .shell.doctor import INSTALL

            sys.exit(f"tilewise: {error.name} is not installed; {INSTALL} {error.name} installs it.")
    cli.main()


if __name__ == "__main__":
    main()
