# port of a LlamaRMSNorm with the one rounding where it belongs
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    hidden = x.float()
    variance = hidden.pow(2).mean(-1, keepdim=True)
    hidden = hidden * torch.rsqrt(variance + eps)
    return (weight * hidden).type_as(x)
