# Keeps the row statistics as columns, selects with torch.where, and divides the product by the denominator, 1 in place of 0.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = q.size(1) ** -0.5 if scale is None else scale
    score = torch.einsum("id,jd->ij", q, k) * factor
    if mask is not None:
        score = torch.where(mask, score, torch.full_like(score, -torch.inf))
    top, _ = score.max(dim=1, keepdim=True)
    weight = torch.exp(score - torch.nan_to_num(top, neginf=0.0))
    total = weight.sum(dim=1, keepdim=True)
    nobody = total == 0
    out = torch.mm(weight, v) / total.masked_fill(nobody, 1.0)
    return out, top[:, 0].clone(), total[:, 0].clone()
