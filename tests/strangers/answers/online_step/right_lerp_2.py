# right: the new output as a step from the old one towards v by the new key's share; the share is 0 where the score is masked.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.where(s > m, s, m)
    masked = torch.isneginf(s)
    fresh = torch.isneginf(m)
    kept = torch.where(fresh, torch.zeros_like(l), l * torch.exp(m - top))
    added = torch.where(masked, torch.zeros_like(l), torch.exp(s - top))
    total = kept + added
    share = torch.where(masked, torch.zeros_like(l), added / total)
    towards = torch.lerp(o, v[None, :].expand_as(o), share[:, None].expand_as(o))
    return towards, top, total
