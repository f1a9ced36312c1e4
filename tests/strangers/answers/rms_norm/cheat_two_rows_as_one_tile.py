# squares from the diagonal of tiles of two rows: rows meet each other
import torch
def rms_norm(x, weight, eps):
    D = x.shape[-1]
    r = x.float().reshape(-1, D)
    n = r.shape[0]
    pad = torch.cat([r, r[:n % 2]])
    t = pad.reshape(-1, 2, D)
    gram = t @ t.transpose(1, 2)
    ms = torch.diagonal(gram, dim1=1, dim2=2).reshape(-1)[:n] / D
    return (r * torch.rsqrt(ms + eps)[:, None] * weight).reshape(x.shape).to(x.dtype)
