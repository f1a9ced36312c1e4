# Wrong: LayerNorm without a bias, as in older transformers; every row whose mean is not 0 shows it.
def rms_norm(x, weight, eps):
    f = x.float() - x.float().mean(-1, keepdim=True)
    return (f / torch.sqrt(f.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * weight
