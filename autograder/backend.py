"""Where Triton kernels run: compiled on a GPU, else in its interpreter. Decided before Triton is first imported."""

from __future__ import annotations

import os
import sys
from functools import cache

from .mistake import Mistake


@cache
def choose() -> None:
    """Turn Triton's interpreter on where there is no GPU. Raises Mistake if Triton was imported before without it."""
    import torch

    if torch.cuda.is_available() or "TRITON_INTERPRET" in os.environ:
        return
    if "triton.language" in sys.modules:
        raise Mistake(
            "Triton was imported before the course could turn its interpreter on, and there is no GPU here: restart "
            "the kernel and run the first cell, %load_ext autograder, before all others (elsewhere: TRITON_INTERPRET=1)"
        )
    os.environ["TRITON_INTERPRET"] = "1"
