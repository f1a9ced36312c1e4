# Stacks past and present as two candidates, normalises their two weights and contracts with einsum.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    peak = torch.maximum(m, s)
    at = peak.masked_fill(peak.isneginf(), 0)
    mass = torch.stack([l * torch.exp(m - at), torch.exp(s - at)])
    total = mass.sum(dim=0)
    share = mass / total.masked_fill(total == 0, 1)
    means = torch.stack([o, v.expand_as(o)])
    return torch.einsum("tr,trd->rd", share, means), peak, total
