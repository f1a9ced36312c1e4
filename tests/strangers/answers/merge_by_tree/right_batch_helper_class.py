# style: small class for the pair (o, L) with __matmul__-free merge method, classmethods, __slots__
import torch
import torch.distributed as dist
from torch import Tensor


class Part:
    """Attention over some keys: o and, in the last column, L, in one tensor that can be sent."""

    __slots__ = ("packed",)

    def __init__(self, packed: Tensor):
        self.packed = packed

    @classmethod
    def of(cls, o: Tensor, L: Tensor) -> "Part":
        packed = torch.empty(*o.shape[:-1], o.shape[-1] + 1, dtype=o.dtype)
        packed[..., :-1] = o
        packed[..., -1] = L
        return cls(packed)

    @property
    def o(self) -> Tensor:
        return self.packed[..., :-1]

    @property
    def L(self) -> Tensor:
        return self.packed[..., -1]

    def merged(self, other: "Part") -> "Part":
        top = torch.maximum(self.L, other.L)
        base = torch.where(top == -torch.inf, torch.zeros_like(top), top)
        a, b = torch.exp(self.L - base), torch.exp(other.L - base)
        total = a + b  # a + b is b + a, bit for bit
        divisor = torch.where(total == 0, torch.ones_like(total), total)[..., None]
        numerator = a[..., None] * self.o + b[..., None] * other.o
        return Part.of(numerator / divisor, base + torch.log(total))


def exchange(mine: Tensor | None, theirs: Tensor | None, peer: int) -> None:
    """Send `mine`, receive into `theirs`; either may be missing."""
    operations = []
    if mine is not None:
        operations.append(dist.P2POp(dist.isend, mine, peer))
    if theirs is not None:
        operations.append(dist.P2POp(dist.irecv, theirs, peer))
    for request in dist.batch_isend_irecv(operations):
        request.wait()


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    rounds = size.bit_length() - 1
    power = 2**rounds
    part = Part.of(o, L)
    if rank >= power:
        exchange(part.packed, None, rank - power)
        exchange(None, part.packed, rank - power)
        return part.o, part.L
    extra = rank + power if rank + power < size else None
    if extra is not None:
        exchange(None, came := torch.empty_like(part.packed), extra)
        part = part.merged(Part(came))
    for i in range(rounds):
        came = torch.empty_like(part.packed)
        exchange(part.packed, came, rank ^ (1 << i))
        part = part.merged(Part(came))
    if extra is not None:
        exchange(part.packed, None, extra)
    return part.o, part.L
