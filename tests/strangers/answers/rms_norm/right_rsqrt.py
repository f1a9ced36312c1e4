# Right: rsqrt, one product, in float32, the weight in float32 too.
def rms_norm(x, weight, eps):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
