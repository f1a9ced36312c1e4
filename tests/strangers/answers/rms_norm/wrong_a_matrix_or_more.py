# takes rows out by view(-1, D) with sizes unpacked: a single row of one axis raises
def rms_norm(x, weight, eps):
    *batch, rows, width = x.shape
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).sum(-1, keepdim=True) / width + eps) * weight).to(x.dtype)
