# Right: a declarative table of kernels with Literal types, dict of lambdas
from typing import Final, Literal, get_args

Name = Literal["Q", "K", "V", "S", "P", "O"]
KERNELS: Final[list[tuple[tuple[Name, ...], Name]]] = [
    (("Q", "K"), "S"),
    (("S",), "P"),
    (("P", "V"), "O"),
]


def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    """Numbers that standard attention of one head moves, with three kernels one after another."""
    size = {name: n * (n if name in "SP" else d) for name in get_args(Name)}
    loads = sum(size[operand] for operands, _ in KERNELS for operand in operands)
    stores = sum(size[result] for _, result in KERNELS)
    return loads, stores
