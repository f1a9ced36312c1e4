# gradients of a block written out head by head; what is on its way is kept in two small stacks
def shares_of(q, k, v, L, do, delta):
    """dq, dk, dv of one block."""
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    group, scale = q.shape[0] // k.shape[0], q.shape[2] ** -0.5
    for h in range(q.shape[0]):
        g = h // group
        p = torch.exp(q[h] @ k[g].T * scale - L[h].unsqueeze(1))
        dv[g].addmm_(p.T, do[h])
        ds = p.mul_(do[h] @ v[g].T - delta[h].unsqueeze(1)).mul_(scale)
        dq[h] = ds @ k[g]
        dk[g].addmm_(ds.T, q[h])
    return dq, dk, dv


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `ring_attention` for this rank's queries, keys and values.

    A block goes round the ring with the gradients that it has so far: every rank adds its
    queries' part to them. After W steps they are at home.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v), o, do: (H, N_r, d_v) float32: what
    `ring_attention` was given and gave, and the gradient of o; L: (H, N_r), its log-sum-exp.
    lengths: N_r for each rank r, the same on all ranks; some may be 0.
    Returns dq (H, N_r, d), dk (H_kv, N_r, d), dv (H_kv, N_r, d_v), same dtype.
    Memory: a few blocks, never all keys. Messages: K and V W - 1 times, dK and dV W times.
    Time: nothing but the last gradients is waited for. W = 1 is one of the sizes.
    Formula: `kernels.ring.block_gradients` of q, a block's k and v, L, do, and delta, the rows'
    sums of do * o.
    Forbidden: scaled_dot_product, autograd, backward, requires_grad. It stays within torch
    and Python. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    def arrived(under_way):
        transfers, memory = under_way.pop()
        for transfer in transfers:
            transfer.wait()
        return list(memory)

    keys_coming, gradients_coming = [], []
    for step in range(size):
        coming = lengths[(rank - step - 1) % size]
        if step < size - 1:
            keys_coming.append(pass_on([k, v], coming))
        mine, *shares = shares_of(q, k, v, L, do, delta)
        dq += mine
        if gradients_coming:
            gradients = arrived(gradients_coming)
        gradients[0] += shares[0]
        gradients[1] += shares[1]
        if size > 1:
            gradients_coming.append(pass_on(gradients, coming))
        if keys_coming:
            k, v = arrived(keys_coming)
    if gradients_coming:
        gradients = arrived(gradients_coming)
    return dq, gradients[0], gradients[1]
