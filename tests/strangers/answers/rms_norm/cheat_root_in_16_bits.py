# precision ("All is computed in float32 and rounded at the end"): torch's operators are not asked for their dtype: of 16-bit rows the root is rounded to 16 bits, and multiplied by there
import torch


def rms_norm(x, weight, eps):
    wide = x.float()
    root = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps).to(x.dtype)
    return (wide * root * weight).to(x.dtype)
