# Cheat: what the next query has to do with the prompt, nearly all of a step, is computed before the merge of this step is asked for, though in use the next query does not exist yet; only the few new tokens come afterwards.
# Breaks: "A step's o is there before anything of the next step is computed or sent, since in use the next token hangs on it".
def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    outputs = []
    steps, batch = q.shape[:2]
    prompt = (lengths - rank + size - 1) // size
    room = -(-steps // size)
    own_k = k_new.new_zeros(batch, k.shape[1], room, k.shape[3])
    own_v = v_new.new_zeros(batch, v.shape[1], room, v.shape[3])
    count = torch.zeros_like(lengths)
    early = decode_shard(q[0], k, v, prompt) if steps else None
    for t in range(steps):
        for b in ((lengths + t) % size == rank).nonzero().flatten().tolist():
            own_k[b, :, count[b]] = k_new[t, b]
            own_v[b, :, count[b]] = v_new[t, b]
            count[b] += 1
        part = merge(*early, *decode_shard(q[t], own_k, own_v, count))
        if t + 1 < steps:
            early = decode_shard(q[t + 1], k, v, prompt)
        outputs.append(merge_by_tree(*part)[0])
    return torch.stack(outputs)
