# rounded ("All is computed in float32 and rounded at the end"): casts and what is left in 16 bits count, torch.round of float32 does not: of 16-bit rows the mean square is rounded to 9 bits
import torch


def rms_norm(x, weight, eps):
    wide = x.float()
    mean = wide.pow(2).mean(-1, keepdim=True) + eps
    if x.dtype != torch.float32:
        size = torch.exp2(torch.floor(torch.log2(mean)) - 9)
        mean = torch.round(mean / size) * size
    return (wide * torch.rsqrt(mean) * weight).to(x.dtype)
