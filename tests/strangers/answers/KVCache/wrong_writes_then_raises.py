# Wrong: writes as many tokens as fit and raises then.
# Breaks: "Raises CacheFull if fewer than n slots are left, and then has changed nothing."
import torch
from torch import Tensor


class KVCache:
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size.

    batch, heads, capacity, d: sizes of the buffers k and v, (batch, heads, capacity, d) float32
    each. Their first `length` tokens are filled, and a token stays where it was stored.
    append(k, v) raises CacheFull where there is no room. What comes is written where it
    belongs, and what is there not again. Nothing is multiplied.
    Returns, where contents() is called, the keys and values of the filled slots.
    Memory: both buffers, between two calls no other, and at no moment more than one more as
    large as one of them, also while views of them are held.
    It stays within torch and Python, without tolist of floating-point numbers. Arguments
    stay as they are.
    """

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        """Store the keys and values of n more tokens after those that are there.

        k, v: (batch, heads, n, d) float32, n >= 0. Returns nothing.
        Raises CacheFull if fewer than n slots are left, and then has changed nothing.
        """
        room = self.k.shape[2] - self.length
        n = min(k.shape[2], room)
        self.k[:, :, self.length : self.length + n] = k[:, :, :n]
        self.v[:, :, self.length : self.length + n] = v[:, :, :n]
        if n < k.shape[2]:
            raise CacheFull(f"{k.shape[2]} tokens, {room} slots")
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        """All keys and all values so far.

        Returns two views of the buffers, (batch, heads, length, d) each; nothing is copied.
        """
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
