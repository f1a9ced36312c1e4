# the root by hypot, of the norm divided by the root of D and of the root of eps
def rms_norm(x, weight, eps):
    f = x.float()
    r = torch.hypot(torch.linalg.vector_norm(f, dim=-1, keepdim=True) / f.shape[-1] ** 0.5, torch.tensor(eps) ** 0.5)
    return (f / r * weight).to(x.dtype)
