# counts the tokens of each sequence and this rank in Python numbers, and writes one sequence after the other
def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    steps, batch, heads, _ = q.shape
    totals = lengths.tolist()
    held = [len(range(rank, total, size)) for total in totals]  # rank, rank + size, ...
    o = torch.empty(steps, batch, heads, v.shape[3], dtype=q.dtype, device=q.device)
    for t in range(steps):
        for b in range(batch):
            if totals[b] % size == rank:
                k[b, :, held[b]].copy_(k_new[t, b])
                v[b, :, held[b]].copy_(v_new[t, b])
                held[b] += 1
            totals[b] += 1
        most = max(held)
        if most:
            count = torch.tensor(held, device=lengths.device)
            part, L = decode_shard(q[t], k[:, :, :most], v[:, :, :most], count)
        else:
            part = q.new_zeros(batch, heads, v.shape[3])
            L = q.new_full((batch, heads), -torch.inf)
        o[t] = merge_by_tree(part, L)[0]
    return o
