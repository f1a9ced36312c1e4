# style: Enum, dataclass, cached_property, class methods as alternative constructors
import enum
from dataclasses import dataclass
from functools import cached_property


class Way(enum.Enum):
    RING = "ring"
    TREE = "tree"


@dataclass(frozen=True)
class Cluster:
    size: int
    way: Way

    @cached_property
    def power(self) -> int:
        """The largest power of two that is not larger than size."""
        return 2 ** (self.size.bit_length() - 1)

    @property
    def rounds(self) -> int:
        if self.size == 1:
            return 0
        if self.way is Way.RING:
            return self.size - 1
        return (self.power.bit_length() - 1) + (0 if self.power == self.size else 2)

    @property
    def messages_sent_by_the_busiest(self) -> int:
        if self.size == 1 or self.way is Way.RING:
            return self.rounds
        return self.power.bit_length() - 1 + int(self.power != self.size)


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    cluster = Cluster(size, Way(way))
    sizes = {Way.RING: 2 * kv_heads * (n // size) * d * width, Way.TREE: heads * (d + 1) * 4}
    return cluster.rounds, cluster.messages_sent_by_the_busiest * sizes[cluster.way]
