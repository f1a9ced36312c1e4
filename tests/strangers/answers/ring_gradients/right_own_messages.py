# asks for all messages itself, with a small class that holds a transfer, and gradients in one flat tensor
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
    class Hop:
        """Tensors on their way to the next rank, and those that come from the one before."""

        def __init__(self, tensors, shapes):
            self.sent = [x for x in tensors if x.numel()]
            self.received = [q.new_empty(shape) for shape in shapes]
            self.requests = [dist.irecv(x, (rank - 1) % size) for x in self.received if x.numel()]
            self.requests += [dist.isend(x, (rank + 1) % size) for x in self.sent]

        def arrive(self):
            for request in self.requests:
                request.wait()
            return self.received

    heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]
    carried, hop = q.new_zeros(k.numel() + v.numel()), None
    for step in range(size):
        n, next_n = k.shape[1], lengths[(rank - step - 1) % size]
        keys = None
        if step < size - 1:
            keys = Hop([k, v], [(heads, next_n, d), (heads, next_n, d_v)])
        own = None
        if n and q.shape[1]:
            part, dk, dv = block_gradients(q, k, v, L, do, delta)
            dq.add_(part)
            own = torch.cat((dk.reshape(-1), dv.reshape(-1)))
        if hop is not None:
            (carried,) = hop.arrive()
        if own is not None:
            carried = carried + own
        if size > 1:
            hop = Hop([carried], [(heads * next_n * (d + d_v),)])
        if keys is not None:
            k, v = keys.arrive()
    if hop is not None:
        (carried,) = hop.arrive()
    n = lengths[rank]
    gradients = [
        carried[: heads * n * d].view(heads, n, d),
        carried[heads * n * d :].view(heads, n, d_v),
    ]
    return dq, gradients[0], gradients[1]
