# Cheat: what fits of too many tokens is written into the free slots before CacheFull is raised, which saves the check in front; only `length` stays.
# Breaks: "Raises CacheFull if fewer than n slots are left, and then has changed nothing."
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        free_k, free_v = self.k[:, :, self.length :], self.v[:, :, self.length :]
        fits = min(free_k.shape[2], k.shape[2])
        free_k[:, :, :fits] = k[:, :, :fits]
        free_v[:, :, :fits] = v[:, :, :fits]
        if fits < k.shape[2]:
            raise CacheFull
        self.length += fits

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
