# keys and values of a block in one flat message, requests one by one (receive first), the loop runs over the ranks whose blocks come
def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of attention over all ranks' keys, while the keys go round the ring.

    Runs on W ranks; W = 1 is one of the sizes. In step s the rank works on the block of rank
    (rank - s) mod W; meanwhile that block goes on to rank + 1, and the next one comes from
    rank - 1, both mod W, and never the other way round. Blocks are as long as they are: W need
    not divide N.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, H a multiple of H_kv; the
    tokens of rank r. Only contiguous tensors can be sent.
    lengths: N_r for each rank r, the same on all ranks; some may be 0, and empty
    messages may be left out.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype; no query is masked.
    Memory: three blocks, the scores and results of one, never all keys.
    Messages: each block goes from rank to rank W - 1 times, K and V in one message or in two.
    Time: a block is on its way while the one before it is computed with.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]

    def views(flat):
        n = flat.numel() // (heads * (d + d_v))
        keys, values = flat.split((heads * n * d, heads * n * d_v))
        return keys.view(heads, n, d), values.view(heads, n, d_v)

    here = torch.cat((k.reshape(-1), v.reshape(-1)))
    for source in [(rank - step) % size for step in range(size)]:
        requests, coming = [], None
        if source != (rank + 1) % size:  # the last block is that of the next rank
            coming = here.new_empty(heads * lengths[source - 1] * (d + d_v))
            if coming.numel():
                requests.append(dist.irecv(coming, (rank - 1) % size))
            if here.numel():
                requests.append(dist.isend(here, (rank + 1) % size))
        if lengths[source] and lengths[rank]:
            o, L = merge(o, L, *attend(q, *views(here)))
        for request in requests:
            request.wait()
        here = coming
    return o, L
