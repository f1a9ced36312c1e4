# one KV head at a time, scores masked by adding, results collected by logaddexp
def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step.

    As `ring_attention`, but a query sees only keys at its own position and before. A rank's
    tokens are two chunks, those of tensor_split(2), and a chunk of queries meets a chunk of
    keys only if one of the queries sees one of the keys.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, H a multiple of H_kv.
    positions: for each rank r the positions (N_r,) int64 of its tokens, rising, the same on all
    ranks; every position lies on one rank.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype.
    Memory: as there. Messages and time as there, too: no hidden pair of chunks is computed, and
    no block is waited for that could have come before.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        source = (rank - step) % size
        asked, arriving = [], (k, v)
        if step + 1 < size:
            asked, arriving = pass_on([k, v], positions[(source - 1) % size].numel())
        half = -(-k.shape[1] // 2)
        for piece in (slice(0, half), slice(half, k.shape[1])):
            at = positions[source][piece]
            for i, (x, own) in enumerate(queries):
                if at.numel() == 0 or own.numel() == 0 or int(at[0]) > int(own[-1]):
                    continue
                group = x.shape[0] // k.shape[0]
                bias = torch.zeros(own.numel(), at.numel()).masked_fill(at > own[:, None], -torch.inf)
                bias = bias.to(x.device)
                for h in range(k.shape[0]):
                    rows = slice(h * group, (h + 1) * group)
                    s = x[rows] @ k[h, piece].T * q.shape[2] ** -0.5 + bias
                    L = torch.logaddexp(sums[i][rows], torch.logsumexp(s, dim=-1))
                    base = torch.where(torch.isneginf(L), torch.zeros_like(L), L)[..., None]
                    kept = torch.exp(sums[i][rows][..., None] - base)
                    outputs[i][rows] = outputs[i][rows] * kept + torch.exp(s - base) @ v[h, piece]
                    sums[i][rows] = L
        for request in asked:
            request.wait()
        k, v = arriving
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
