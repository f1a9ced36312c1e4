"""What a worker that dies runs. It stands alone, so that each process that is begun for it imports no PyTorch."""

import os


def dies(number: int, deadly: set[int]) -> int:
    """The number, unless it is one of the deadly ones."""
    if number in deadly:
        os._exit(9)
    return number
