# Right: pytest tests with parametrize and a fixture below the answer
import torch
from torch import Tensor

try:
    import pytest
except ModuleNotFoundError:
    pytest = None


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from what `attention_block` gave."""
    m = torch.max(m1, m2)
    ref = torch.nan_to_num(m, neginf=0.0)
    a1 = l1 * torch.exp(m1 - ref)
    a2 = l2 * torch.exp(m2 - ref)
    l = a1 + a2
    whole = l.masked_fill(l == 0, 1.0)
    return (a1 / whole)[:, None] * o1 + (a2 / whole)[:, None] * o2, m, l


if pytest is not None:

    @pytest.fixture
    def empty():
        return torch.zeros(3, 2), torch.full((3,), -torch.inf), torch.zeros(3)

    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_empty_leaves_all(empty, seed):
        g = torch.Generator().manual_seed(seed)
        block = torch.randn(3, 2, generator=g), torch.randn(3, generator=g), torch.rand(3, generator=g)
        for got, wanted in zip(merge_blocks(*block, *empty), block):
            torch.testing.assert_close(got, wanted)
