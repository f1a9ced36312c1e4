"""What operators of torch count as multiplications."""

import pytest
import torch

from autograder.runner.tensors.operators import Operators
from autograder.runner.tensors.products import meets_every_row, product_of

S, A, B = torch.zeros(3, 4), torch.rand(3, 5), torch.rand(5, 4)
COLUMN, ROW, Z = A[:, 0], B[0], torch.complex(A, A)


class Multiplied(Operators):
    count = 0

    def run(self, func, args, kwargs):
        out = func(*args, **kwargs)
        self.count += product_of(func, args, out)
        return out


@pytest.mark.parametrize(
    ("compute", "count"),
    [
        (lambda: A @ B, 60),
        (lambda: Z @ Z.mT, 4 * 45),
        (lambda: Z[:, :, None] * Z[:, 0], 4 * 45),
        (lambda: torch.addr(S, COLUMN, ROW), 12),
        (lambda: torch.outer(COLUMN, ROW), 12),
        (lambda: torch.addcmul(S, COLUMN[:, None], ROW), 12),
        (lambda: A[:, :, None] * B, 60),
        (lambda: COLUMN[:, None].expand(3, 4) * ROW.expand(3, 4), 12),
        (lambda: S.clone().addcmul_(COLUMN[:, None].expand(3, 4), ROW.expand(3, 4)), 12),
        (lambda: torch.lerp(S, COLUMN[:, None].expand(3, 4), ROW), 12),
        (lambda: COLUMN[:, None] - ROW, 12),
        (lambda: A.scatter_reduce(0, torch.zeros(3, 5, dtype=torch.int64), A, "prod"), 15),
        (lambda: torch.nn.functional.layer_norm(A, (5,), B[:, 0]), 15),
        (lambda: torch.stack([COLUMN[:, None].expand(3, 4), ROW.expand(3, 4)]), 24),
        (lambda: torch.var(torch.stack([S, S]), dim=0), 24),
        (lambda: A.scatter_reduce(0, torch.zeros(3, 5, dtype=torch.int64), A, "amax"), 0),
        (lambda: torch.nn.functional.layer_norm(A, (5,)), 0),
        (lambda: torch.stack([S, S]).index_put_((torch.tensor([0]),), S), 0),
        (lambda: torch.cat([COLUMN[:, None].expand(3, 4), A], dim=1), 0),
        (lambda: 2 * S, 0),
        (lambda: S - COLUMN[:, None], 0),
        (lambda: S.clone().sub_(ROW), 0),
        (lambda: torch.addcmul(S, S, ROW), 0),
        (lambda: 2 * COLUMN[:, None].expand(3, 4), 0),
        (lambda: A.expand(2, 3, 5) * A[0], 0),  # computed twice, and yet no meeting of each with each
        (lambda: torch.arange(3)[:, None] >= torch.arange(4), 0),  # a mask
    ],
)
def test_every_meeting_of_two_tensors_counts(compute, count):
    with Multiplied() as multiplied:
        compute()
    assert multiplied.count == count


class Rows(Operators):
    count = 0

    def run(self, func, args, kwargs):
        out = func(*args, **kwargs)
        if len(args) == 2 and isinstance(args[1], torch.Tensor):
            self.count += meets_every_row(func, args[0], args[1], out) or meets_every_row(func, args[1], args[0], out)
        return out


@pytest.mark.parametrize(
    ("compute", "count"),
    [
        (lambda: A * B[:, 0], 15),
        (lambda: B[:, :1].T * A, 15),
        (lambda: A / B[:, 0], 15),
        (lambda: torch.rand(2, 3, 5) * A[:1], 30),
        (lambda: A * A, 0),  # number by number
        (lambda: A * A[:, :1], 0),  # rows that are scaled, each by a number of its own
        (lambda: A - A[0], 0),
        (lambda: A[:, :, None] * B, 0),  # each with each, which counts anyway
        (lambda: A[0] * A[1], 0),  # one row with one
    ],
)
def test_a_row_that_meets_every_row_counts(compute, count):
    with Rows() as rows:
        compute()
    assert rows.count == count
