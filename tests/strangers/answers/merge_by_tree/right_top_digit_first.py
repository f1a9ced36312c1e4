# the exchanges from the highest digit down, isend and irecv by hand, a symmetric merge of its own, numerators kept beside L
def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    half = 1
    while 2 * half <= size:
        half *= 2  # the largest power of two that is not larger than size
    packed = o.new_empty(*o.shape[:-1], o.shape[-1] + 1)
    packed[..., 0] = L
    packed[..., 1:] = o

    def both(a: Tensor, b: Tensor) -> Tensor:
        L_a, L_b = a[..., :1], b[..., :1]
        top = torch.maximum(L_a, L_b)
        top = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
        w_a, w_b = torch.exp(L_a - top), torch.exp(L_b - top)
        total = w_a + w_b
        numerator = w_a * a[..., 1:] + w_b * b[..., 1:]
        result = torch.empty_like(a)
        result[..., :1] = top + torch.log(total)
        result[..., 1:] = numerator / torch.where(total > 0, total, torch.ones_like(total))
        return result

    outside, partner = rank >= half, rank + half
    received = torch.empty_like(packed)
    if outside:
        dist.send(packed, rank - half)
        dist.recv(packed, rank - half)
    else:
        if partner < size:
            dist.recv(received, partner)
            packed = both(packed, received)
        digit = half // 2
        while digit:
            going = dist.isend(packed, rank ^ digit)
            coming = dist.irecv(received, rank ^ digit)
            going.wait()
            coming.wait()
            packed = both(packed, received)
            digit //= 2
        if partner < size:
            dist.send(packed, partner)
    return packed[..., 1:].clone(), packed[..., 0].clone()
