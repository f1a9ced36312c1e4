# only float16 is computed in float32: bfloat16 is squared and summed as it is
def rms_norm(x, weight, eps):
    f = x.float() if x.dtype == torch.float16 else x
    y = f * torch.rsqrt((f * f).mean(-1, keepdim=True) + eps) * weight.to(f.dtype)
    return y.to(x.dtype)
