# Right: the Euclidean norm of a row over the root of its length is its root mean square; eps by hand.
def rms_norm(x, weight, eps):
    f = x.to(torch.float32)
    ms = (f * f).sum(-1, keepdim=True) / x.shape[-1]
    return (f / (ms + eps) ** 0.5 * weight).type_as(x)
