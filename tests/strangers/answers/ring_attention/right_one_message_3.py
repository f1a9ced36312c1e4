# keys and values packed into one flat message; ring of views, a closure that asks for the next
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

    def unpack(flat, n):
        cut = heads * n * d
        return flat[:cut].view(heads, n, d), flat[cut:].view(heads, n, d_v)

    def ask(flat, n):
        """The next block's memory, and the transfers under way."""
        room = flat.new_empty(heads * n * (d + d_v))
        wanted = [(dist.isend, flat, rank + 1), (dist.irecv, room, rank - 1)]
        wanted = [dist.P2POp(kind, x, peer % size) for kind, x, peer in wanted if x.numel()]
        return room, dist.batch_isend_irecv(wanted) if wanted else []

    flat = k.new_empty(k.numel() + v.numel())
    for place, x in zip(unpack(flat, k.shape[1]), (k, v)):
        place.copy_(x)
    for step in range(size):
        owner = (rank - step) % size
        last = step == size - 1
        room, transfers = (None, []) if last else ask(flat, lengths[(owner - 1) % size])
        if lengths[owner] > 0 and lengths[rank] > 0:
            o, L = merge(o, L, *attend(q, *unpack(flat, lengths[owner])))
        for transfer in transfers:
            transfer.wait()
        flat = room
    return o, L
