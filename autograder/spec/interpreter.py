"""Where Triton kernels run: compiled on a GPU, else in the interpreter. Decided before Triton is first imported."""

from __future__ import annotations

import os
import sys
from functools import cache

from ..runner import no_triton
from .user_error import UserError


class NeedsTriton(UserError, AttributeError):
    """Triton is used where it is not installed."""


def has_triton() -> bool:
    """Whether Triton is installed; our stand-in for it does not count."""
    return not no_triton.missing()


@cache
def choose() -> None:
    """Turn Triton's interpreter on where there is no GPU. Raises UserError if Triton was already imported without it.

    Where Triton is not installed, a stand-in takes its place, so that the lessons that import it can be worked on.
    """
    import torch

    no_triton.stand_in(NeedsTriton)
    if torch.cuda.is_available() or "TRITON_INTERPRET" in os.environ:
        return
    if has_triton() and "triton.language" in sys.modules:
        raise UserError(
            "Triton was imported before the course could turn its interpreter on, and there is no GPU here: restart "
            "the kernel and run the first cell, %load_ext autograder, before all others (elsewhere: TRITON_INTERPRET=1)"
        )
    os.environ["TRITON_INTERPRET"] = "1"
