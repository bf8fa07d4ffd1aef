"""``python -m tricktake_lab.reproduce``: the same as ``tricktake reproduce``."""

import sys

from tricktake.cli.common import EXIT_ERROR, log
from tricktake.errors import TricktakeError
from tricktake_lab.reproduce.cli import command

if __name__ == "__main__":
    try:
        command()
    except TricktakeError as error:
        log(f"error: {error}")
        sys.exit(EXIT_ERROR)
