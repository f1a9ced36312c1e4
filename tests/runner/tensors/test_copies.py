"""What counts as a copy of a call's arguments."""

import pytest
import torch

from autograder.runner.meters.operations import OperatorsAndBytes

K, Q = torch.rand(3, 4), torch.rand(1, 4)
BUFFER, HIDDEN = torch.zeros(3, 4), torch.tensor([True, False, False])[:, None]


@pytest.mark.parametrize(
    ("compute", "copied"),
    [
        (lambda: K.clone(), 12),
        (lambda: [row.clone() for row in K], 12),
        (lambda: K.T.contiguous() @ K, 12),
        (lambda: K[torch.tensor([0, 2])], 8),
        (lambda: K[torch.tensor([0, 2]) + (Q.sum() * 0).long()], 8),
        (lambda: torch.take_along_dim(K, (Q.sum() * 0).long().view(1, 1), 1), 3),
        (lambda: torch.masked_select(K, HIDDEN), 4),
        (lambda: Q.sum().expand(2).masked_scatter(torch.tensor([True, True]), K), 2),
        (lambda: Q.sum().expand(2).scatter(0, torch.arange(2), K[0]), 2),
        (lambda: torch.nn.functional.nll_loss(K, torch.arange(3), Q.sum().expand(4), reduction="none"), 4),
        (lambda: torch.nn.functional.pad(K, (0, 0, -1, -1)), 4),
        (lambda: torch.cat([K, Q]), 16),
        (lambda: BUFFER.copy_(K), 12),
        (lambda: torch.zeros(9, 4).index_copy_(0, torch.tensor([8]), Q), 4),
        (lambda: torch.zeros(9, 4).index_put_((torch.tensor([1, 5]),), K[:2]), 8),
        (lambda: K * 1, 12),
        (lambda: torch.ones(3, 1) * K, 12),
        (lambda: K.masked_fill(HIDDEN, 0), 12),
        (lambda: torch.eye(3) @ K, 12),
        (lambda: K.clone().clone(), 24),
        (lambda: torch.lerp(K, K, 0.0), 12),
        (lambda: torch.minimum(K, Q / 0), 16),
        (lambda: torch.where(~HIDDEN, K, Q), 12),
        (lambda: torch.add(K, Q @ Q.T, alpha=0), 12),
        (lambda: (K * K).sqrt(), 12),
        (lambda: K[..., None].expand(3, 4, 2).amax(-1), 12),
        (lambda: torch.addmm(K, torch.zeros(3, 1), Q), 12),
        (lambda: torch.baddbmm(K[None], torch.zeros(1, 3, 1), Q[None], out=torch.empty(1, 3, 4)), 12),
        (lambda: BUFFER.addmm_(K @ Q.T, Q), 0),
        (lambda: torch.addmm(torch.zeros(3, 1), K, Q.T), 0),
        (lambda: K[1:].T, 0),
        (lambda: torch.zeros_like(K), 0),
        (lambda: K.sum(dim=0) + K.amax(), 0),
        (lambda: (Q * K).sum(dim=-1), 0),
        (lambda: (Q @ K.T).clone(), 0),
        (lambda: torch.ones(1, 3) @ K, 0),  # a sum
        (lambda: BUFFER.copy_(Q @ K.T @ K), 0),
        (lambda: K > 0.5, 0),
    ],
)
def test_what_is_copied_of_the_arguments(compute, copied):
    with OperatorsAndBytes(lambda filename: True, [K, Q]) as operators:
        compute()
    assert operators.copied == 4 * copied


@pytest.mark.parametrize(
    ("compute", "copied"),
    [
        (lambda: Q.clone(), 0),
        (lambda: K.clone(), 12),
        (lambda: BUFFER.copy_(K).clone(), 24),
        (lambda: K.clone().repeat_interleave(2, 0), 36),
        (lambda: (Q.clone(), torch.maximum(Q, K)), 12),
        (lambda: Q @ K.T @ K, 0),
    ],
)
def test_keys_and_values_are_counted_apart_from_queries(compute, copied):
    with OperatorsAndBytes(lambda filename: True, {"q": Q, "k": K}) as operators:
        compute()
    assert operators.copied_others == 4 * copied
