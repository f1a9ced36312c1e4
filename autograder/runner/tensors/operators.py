"""A mode that sees every operator of torch, and none that is made of others."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .names import of_operator


class Operators(TorchDispatchMode):
    """Context in which `run` is handed each operator that runs.

    One that is made of others, as a softmax or a cast is, comes as these. Torch takes it apart before a mode sees it,
    but for where nothing is kept for a backward pass: in `torch.inference_mode`, and of tensors that were made there.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # of torch

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch's own way to say that nothing is compiled here: importing its compiler takes a second

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if not _is_made_of_others(func):
            return self.run(func, args, kwargs or {})
        with self:
            return func.decompose(*args, **(kwargs or {}))

    def run(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """What the operator returns."""
        raise NotImplementedError


@of_operator
def _is_made_of_others(func: Any) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))
