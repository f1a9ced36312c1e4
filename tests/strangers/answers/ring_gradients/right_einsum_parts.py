# right: einsum for the parts of a block; gradients are waited for after the parts are computed, and come home by one hop more
def _parts(
    q: Tensor, k: Tensor, v: Tensor, L: Tensor, do: Tensor, delta: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """What a block of keys and these queries give to dq, dk and dv."""
    scale, kv_heads = q.shape[2] ** -0.5, k.shape[0]
    q, L, do, delta = (x.unflatten(0, (kv_heads, -1)) for x in (q, L, do, delta))
    P = (torch.einsum("hgic,hjc->hgij", q, k) * scale - L[..., None]).exp()
    dS = P * (torch.einsum("hgic,hjc->hgij", do, v) - delta[..., None])
    dq = torch.einsum("hgij,hjc->hgic", dS, k).flatten(0, 1) * scale
    dk = torch.einsum("hgij,hgic->hjc", dS, q) * scale
    return dq, dk, torch.einsum("hgij,hgic->hjc", P, do)


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `ring_attention` for this rank's queries, keys and values."""
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    passing, arriving = [], None  # requests and memory of the gradients on their way
    for step in range(size):
        after = lengths[(rank - step - 1) % size]
        requests, following = [], (k, v)
        if step < size - 1:
            requests, following = pass_on([k, v], after)
        dq_part, *own = _parts(q, k, v, L, do, delta)
        dq += dq_part
        for request in passing:
            request.wait()
        if step:
            gradients = list(arriving)
        for whole, part in zip(gradients, own):
            whole += part
        if size > 1:
            passing, arriving = pass_on(gradients, after)
        for request in requests:
            request.wait()
        k, v = following
    for request in passing:
        request.wait()
    if size > 1:
        gradients = list(arriving)
    return dq, gradients[0], gradients[1]
