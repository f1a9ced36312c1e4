"""The oracles of `tensor_cores`."""

from torch import Tensor


def products(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.T
