# itertools.product of chunks, grouped heads by einsum, own weights and merge in one place by logaddexp; keeps the contract
import itertools


def _pair(state, q, k, v, hidden):
    o, L = state
    x = q.unflatten(0, (k.shape[0], -1))  # (H_kv, group, n, d)
    s = torch.einsum("kgid,kjd->kgij", x, k) / q.shape[2] ** 0.5
    s = torch.where(hidden, s.new_tensor(-torch.inf), s)
    mine = torch.logsumexp(s, dim=3).flatten(0, 1)
    both = torch.logaddexp(L, mine)
    base = torch.where(both == -torch.inf, torch.zeros_like(both), both)
    p = torch.exp(s - base.unflatten(0, (k.shape[0], -1))[..., None])
    add = torch.einsum("kgij,kjc->kgic", p, v).flatten(0, 1)
    return o * torch.exp(L - base)[..., None] + add, both


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    halves = [
        (x, at) for x, at in zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2))
    ]
    states = [
        (x.new_zeros(*x.shape[:2], v.shape[2]), x.new_full(x.shape[:2], -torch.inf))
        for x, _ in halves
    ]
    block = [k, v]
    for step in range(size):
        at = positions[(rank - step) % size]
        going = None
        if step < size - 1:
            going = pass_on(block, positions[(rank - step - 1) % size].numel())
        cut = list(zip(*(x.tensor_split(2, dim=1) for x in block), at.tensor_split(2)))
        for c, i in itertools.product(range(2), range(2)):
            (kc, vc, ac), (qc, aq) = cut[c], halves[i]
            if ac.numel() == 0 or aq.numel() == 0 or int(ac[0]) > int(aq[-1]):
                continue
            states[i] = _pair(states[i], qc, kc, vc, ac[None, :] > aq[:, None])
        if going is not None:
            for request in going[0]:
                request.wait()
            block = going[1]
    return torch.cat([o for o, _ in states], dim=1), torch.cat([L for _, L in states], dim=1)
