# Port of Hugging Face's DynamicCache: keeps appended tensors by torch.cat outside of the buffers; contents are no views of k and v, which stay zero.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0
        self.key_cache = torch.zeros(batch, heads, 0, d)
        self.value_cache = torch.zeros(batch, heads, 0, d)

    def append(self, k: Tensor, v: Tensor) -> None:
        if self.length + k.shape[2] > self.k.shape[2]:
            raise CacheFull("full")
        self.key_cache = torch.cat([self.key_cache, k], dim=-2)
        self.value_cache = torch.cat([self.value_cache, v], dim=-2)
        self.length = self.key_cache.shape[-2]

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.key_cache, self.value_cache
