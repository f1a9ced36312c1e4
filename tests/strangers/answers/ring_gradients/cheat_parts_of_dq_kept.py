# dq parts of all blocks are kept and added at the end
def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `ring_attention` for this rank's queries, keys and values.

    A block goes round the ring with the gradients that it has so far: every rank adds its
    queries' part to them. After W steps they are at home.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v), o, do: (H, N_r, d_v) float32: what
    `ring_attention` was given and gave, and the gradient of o; L: (H, N_r), its log-sum-exp;
    all with any strides.
    lengths: N_r for each rank r, the same on all ranks; some may be 0.
    Returns dq (H, N_r, d), dk (H_kv, N_r, d), dv (H_kv, N_r, d_v), same dtype.
    Memory: a few blocks, never all keys. Messages: K and V W - 1 times, dK and dV W times, each
    pair in one message or two; none where W = 1, which is one of the sizes. Time: all but the
    last gradients travel while the rank multiplies.
    Formula: dq, dk, dv = `kernels.ring.block_gradients(q, k, v, L, do, delta)` for a block's k
    and v; delta: the rows' sums of do * o.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    arriving: list[dist.Work] = []
    parts_of_dq = []
    for step in range(size):
        following = lengths[(rank - step - 1) % size]
        requests, block = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        dq_part, *parts = block_gradients(q, k, v, L, do, delta)
        parts_of_dq.append(dq_part)
        for request in arriving:
            request.wait()
        summed = [gradient + part for gradient, part in zip(gradients, parts, strict=True)]
        arriving, gradients = pass_on(summed, following)
        for request in requests:
            request.wait()
        k, v = block
    for request in arriving:
        request.wait()
    for part in parts_of_dq:
        dq = dq + part
    return dq, gradients[0], gradients[1]



