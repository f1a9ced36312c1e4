# right: attention of each sequence by itself over exactly the rows that are there, merged by the tree
def _one(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """q (H, d), k (H_kv, n, d), v (H_kv, n, d_v) of one sequence, n > 0 -> o (H, d_v), L (H,)."""
    grouped = q.view(len(k), -1, q.shape[1]) * q.shape[1] ** -0.5
    s = grouped @ k.transpose(1, 2)
    L = torch.logsumexp(s, dim=2)
    return ((s - L[..., None]).exp() @ v).flatten(0, 1), L.flatten()


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    """T steps of decoding: in each, every sequence gets one token, on the rank that owns it."""
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    outputs = []
    for t in range(len(q)):
        heads, d_v = q.shape[2], v.shape[3]
        o, L = q.new_zeros(len(k), heads, d_v), q.new_full((len(k), heads), -torch.inf)
        for b, prompt in enumerate(lengths.tolist()):
            row, owner = divmod(prompt + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
            rows = row + (rank <= owner)  # of the tokens 0 to prompt + t
            if rows:
                o[b], L[b] = _one(q[t, b], k[b, :, :rows], v[b, :, :rows])
        outputs.append(merge_by_tree(o, L)[0])
    return torch.stack(outputs)
