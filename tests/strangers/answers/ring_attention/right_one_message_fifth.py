# right: K and V of a block lie in one flat buffer, which is one message, and are seen as views of it
def _views(block: Tensor, kv_heads: int, n: int, d: int, d_v: int) -> tuple[Tensor, Tensor]:
    """K and V within the buffer of a block."""
    k, v = block.split((kv_heads * n * d, kv_heads * n * d_v))
    return k.view(kv_heads, n, d), v.view(kv_heads, n, d_v)


def _asked(block: Tensor, coming: Tensor) -> list:
    """The block is on its way to the next rank, and the one before comes; the requests."""
    rank, size = dist.get_rank(), dist.get_world_size()
    transfers = []
    if block.numel():
        transfers.append(dist.P2POp(dist.isend, block, (rank + 1) % size))
    if coming.numel():
        transfers.append(dist.P2POp(dist.irecv, coming, (rank - 1) % size))
    return dist.batch_isend_irecv(transfers) if transfers else []


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of attention over all ranks' keys, while the keys go round the ring."""
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    kv_heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]
    block = torch.cat((k.reshape(-1), v.reshape(-1)))
    began = False
    for step in range(size):
        n = lengths[(rank - step) % size]
        transfers = []
        if step + 1 < size:
            coming = block.new_empty(kv_heads * lengths[(rank - step - 1) % size] * (d + d_v))
            transfers = _asked(block, coming)
        if n and q.shape[1]:
            part = attend(q, *_views(block, kv_heads, n, d, d_v))
            o, L = merge(o, L, *part) if began else part
            began = True
        for transfer in transfers:
            transfer.wait()
        if step + 1 < size:
            block = coming
    return o, L
