# Right: batch_isend_irecv with P2POp, a small class for the ring with a method that posts and one that waits
import torch
import torch.distributed as dist
from torch import Tensor


class Ring:
    """Blocks that go from rank to rank + 1."""

    def __init__(self) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.pending: list = []

    @property
    def after(self) -> int:
        return (self.rank + 1) % self.size

    @property
    def before(self) -> int:
        return (self.rank - 1) % self.size

    def post(self, blocks: list[Tensor], length: int) -> list[Tensor]:
        """Ask for the blocks to be sent, and for those of `length` tokens to come."""
        coming = [x.new_empty(x.shape[0], length, x.shape[2]) for x in blocks]
        sends = [dist.P2POp(dist.isend, x, self.after) for x in blocks]
        receives = [dist.P2POp(dist.irecv, x, self.before) for x in coming]
        self.pending = dist.batch_isend_irecv(sends + receives)
        return coming

    def wait(self) -> None:
        while self.pending:
            self.pending.pop().wait()


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of attention over all ranks' keys, while the keys go round the ring."""
    ring = Ring()
    heads, rows, d = q.shape
    kv_heads = k.shape[0]
    packed = q.reshape(kv_heads, heads // kv_heads * rows, d)
    m = q.new_full((*packed.shape[:2], 1), -torch.inf)
    l = torch.zeros_like(m)
    acc = q.new_zeros(*packed.shape[:2], v.shape[2])
    here = [k.contiguous(), v.contiguous()]
    for step in range(ring.size):
        coming = None
        if step < ring.size - 1:
            coming = ring.post(here, lengths[(ring.rank - step - 1) % ring.size])
        keys, values = here
        if keys.shape[1] and rows:
            s = (packed @ keys.mT).mul_(d**-0.5)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            p, alpha = s.sub_(m_new).exp_(), torch.exp(m - m_new)
            l = l * alpha + p.sum(dim=-1, keepdim=True)
            acc = torch.baddbmm(acc * alpha, p, values)
            m = m_new
        if coming is not None:
            ring.wait()
            here = coming
    empty = l == 0
    o = (acc / l.masked_fill(empty, 1.0)).reshape(heads, rows, v.shape[2])
    return o, (m + l.log()).reshape(heads, rows)
