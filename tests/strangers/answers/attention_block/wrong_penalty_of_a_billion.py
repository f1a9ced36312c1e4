# Adds -1e9 to hidden scores and calls a row blind when its maximum is below -5e8: a row of real scores of -1e9 (large inputs) counts as blind, and scores of +1e9 under the mask come back into play.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = q.shape[-1] ** -0.5
    scores = (q @ k.T) * scale
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -1e9
    m = scores.amax(-1)
    e = (scores - m.unsqueeze(-1)).exp()
    l = e.sum(-1)
    o = (e @ v) / l.unsqueeze(-1)
    blind = m < -5e8
    return (
        o.masked_fill(blind.unsqueeze(-1), 0),
        m.masked_fill(blind, -torch.inf),
        l.masked_fill(blind, 0),
    )
