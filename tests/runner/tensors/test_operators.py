"""Which operators of torch a mode sees."""

import pytest
import torch

from autograder.runner.tensors.names import name_of
from autograder.runner.tensors.operators import Operators

A, B = torch.rand(2, 3, 4), torch.rand(2, 4, 3)
ALIKE = {"aten._unsafe_view": "aten.view"}  # torch writes a view of what it has just made in two ways


class Seen(Operators):
    def __init__(self):
        super().__init__()
        self.names = []

    def run(self, func, args, kwargs):
        self.names.append(ALIKE.get(name_of(func), name_of(func)))
        return func(*args, **kwargs)


@pytest.mark.parametrize(
    "compute",
    [
        lambda: A @ B,
        lambda: torch.einsum("bij,bjk->bik", A, B),
        lambda: torch.nn.functional.linear(A, B[0].T),
        lambda: torch.nn.functional.scaled_dot_product_attention(A, A, A),
        lambda: torch.vmap(torch.matmul)(A, B),
        lambda: torch.kron(A, B),
        lambda: torch.outer(A[0, 0], B[0, 0]),
        lambda: torch.linalg.multi_dot([A[0], B[0], A[0]]),
        lambda: A.half(),
        lambda: A.to(torch.float64),
        lambda: A.long(),
        lambda: A[0, 0, 0].item(),
        lambda: float(A[0, 0, 0]),
        lambda: A.softmax(-1),
        lambda: torch.nn.functional.log_softmax(A, -1),
        lambda: torch.float_power(2, A),
        lambda: torch.ldexp(A, A),
        lambda: A.std(-1),
        lambda: A.mT.contiguous(),
        lambda: A.transpose(0, 1).reshape(-1),
        lambda: torch.where(A > 0, A, 0.0),
        lambda: torch.tensor_split(A, 3),
        lambda: A.repeat_interleave(2, 0),
        lambda: torch.cdist(A, A),
    ],
)
def test_in_inference_mode_an_operator_is_seen_as_those_of_which_it_is_made(compute):
    with Seen() as plain:
        compute()
    with Seen() as inferred, torch.inference_mode():
        made = compute()
    with Seen() as afterwards:
        made.half() if isinstance(made, torch.Tensor) else None
    assert inferred.names == plain.names
    assert "aten.to" not in afterwards.names
