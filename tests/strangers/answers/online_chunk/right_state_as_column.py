# Treats the state as one more column, a key with score m and multiplicity l, in front of the C scores.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.cat([m[:, None], s], dim=1)
    new_m = scores.max(dim=1).values
    w = torch.exp(scores - torch.where(new_m == -torch.inf, 0.0, new_m)[:, None])
    w[:, 0] *= l
    new_l = w.sum(dim=1)
    w = w / torch.where(new_l == 0, 1.0, new_l)[:, None]
    return w[:, :1] * o + w[:, 1:] @ v, new_m, new_l
