# Right: match on the layout with a walrus-free generator of chunks, torch.cat of aranges, argsort as the inverse
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    match layout:
        case "stripe":
            parts = [torch.arange(rank, n, size) if rank < n else torch.arange(0) for rank in range(size)]
        case "zigzag":
            cuts = [n * c // (2 * size) for c in range(2 * size + 1)]

            def chunk(c: int) -> Tensor:
                return torch.arange(cuts[c], cuts[c + 1])

            parts = [torch.cat((chunk(r), chunk(2 * size - 1 - r))) for r in range(size)]
        case other:
            raise ValueError(other)
    order = torch.cat(parts)
    starts = torch.tensor([0, *map(len, parts)]).cumsum(dim=0)
    return order, starts, order.argsort()
