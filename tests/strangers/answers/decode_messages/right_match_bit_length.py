# Right: match with guards, int.bit_length, NamedTuple result, StrEnum for the way
from enum import StrEnum
from typing import NamedTuple


class Way(StrEnum):
    RING = "ring"
    TREE = "tree"


class Traffic(NamedTuple):
    rounds: int
    sent: int


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    """Rounds of messages that decode one token, and all bytes of the rank that sends most."""
    match (Way(way), size):
        case (_, 1):
            return Traffic(0, 0)
        case (Way.RING, _):
            block = 2 * (n // size) * kv_heads * d * width
            return Traffic(size - 1, (size - 1) * block)
        case (Way.TREE, _):
            log = size.bit_length() - 1
            uneven = size != 1 << log
            message = heads * (d + 1) * 4
            return Traffic(log + 2 * uneven, (log + uneven) * message)
