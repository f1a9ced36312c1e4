"""Torch out of the meters' sight, for what they and the runner ask of it themselves.

Nothing of an answer's may run within: no method or attribute of an object that is not known to be a plain tensor. So
whoever calls torch elsewhere is the answer, whichever code stands between: a library that it hands a function to, too.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch

calls_unseen: Any = torch._C.DisableTorchFunction  # where operators are out of sight already: while one is taken down


class unseen:
    """Within this context no call into torch and no operator of it is seen."""

    def __enter__(self) -> None:
        self._contexts: Any = calls_unseen(), torch._C._DisableTorchDispatch()
        for context in self._contexts:
            context.__enter__()

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        for context in reversed(self._contexts):
            context.__exit__(kind, value, tb)
