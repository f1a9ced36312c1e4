"""Torch out of the meters' sight, for what they and the runner ask of it themselves.

Nothing of an answer's may run within: no method or attribute of an object that is not known to be a plain tensor. So
whoever calls torch elsewhere is the answer, whichever code stands between: a library that it hands a function to, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def unseen() -> Iterator[None]:
    """Within this context no call into torch and no operator of it is seen."""
    with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():  # type: ignore[attr-defined]
        yield
