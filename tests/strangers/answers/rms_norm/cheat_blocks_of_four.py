# the diagonal of products of blocks of four rows
import torch
def rms_norm(x, weight, eps):
    D = x.shape[-1]
    r = x.float().reshape(-1, D)
    ms = torch.cat([(b @ b.T).diagonal() for b in r.split(4)]) / D
    return (r * torch.rsqrt(ms + eps)[:, None] * weight).reshape(x.shape).to(x.dtype)
