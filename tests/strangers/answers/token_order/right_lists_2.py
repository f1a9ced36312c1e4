# style: list comprehension and sum(..., []), dictionary of layout functions
import torch
from torch import Tensor


def _zigzag(n: int, size: int) -> list[list[int]]:
    cut = [n * c // (2 * size) for c in range(2 * size + 1)]
    chunk = lambda c: list(range(cut[c], cut[c + 1]))  # noqa: E731
    return [chunk(r) + chunk(2 * size - 1 - r) for r in range(size)]


LAYOUTS = {
    "stripe": lambda n, size: [list(range(r, n, size)) for r in range(size)],
    "zigzag": _zigzag,
}


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    try:
        held = LAYOUTS[layout](n, size)
    except KeyError as error:
        raise ValueError(f"no layout is called {layout!r}; there are {', '.join(LAYOUTS)}") from error
    order = torch.tensor(sum(held, []), dtype=torch.int64)
    starts = torch.tensor([0, *map(len, held)], dtype=torch.int64).cumsum(dim=0)
    return order, starts, order.argsort()
