# Ends the process in the midst of a call.
import os

from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    os._exit(3)
