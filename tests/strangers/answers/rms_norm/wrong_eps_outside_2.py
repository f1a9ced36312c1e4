# Wrong: eps is added to the root, not under it: rows near 0 come out differently.
# Breaks: "y_c = weight_c x_c / sqrt(mean_c(x_c^2) + eps)".
def rms_norm(x, weight, eps):
    y = x.float()
    rms = (y * y).mean(dim=-1, keepdim=True).sqrt()
    return (weight * y / (rms + eps)).to(x.dtype)
