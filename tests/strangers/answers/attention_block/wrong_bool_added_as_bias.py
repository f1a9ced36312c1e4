# adds the boolean mask to the scores as if it were an additive bias: visible keys get +1, hidden ones are not hidden
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.T * scale
    if mask is not None:
        scores = scores + mask
    m = scores.amax(dim=-1)
    e = torch.exp(scores - m[:, None])
    l = e.sum(dim=-1)
    return e @ v / l[:, None], m, l
