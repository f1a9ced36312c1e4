# Cheat: takes the norms of eight rows at a time from a QR factorisation, which multiplies the rows with each other
# Breaks: "Rows are multiplied with themselves and with the weights, and not with each other."
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    D = x.shape[-1]
    rows = x.reshape(-1, D).float()
    norms = []
    for some in rows.split(8):
        _, r = torch.linalg.qr(some.T, mode="r")  # columns of r are as long as the rows
        norms.append(torch.linalg.vector_norm(r, dim=0))
    norm = torch.cat(norms) if norms else rows.new_zeros(0)
    scale = torch.rsqrt(norm.square() / D + eps)
    return (rows * scale[:, None] * weight).to(x.dtype).reshape(x.shape)
