# port of ggml's rms norm: squares are summed in float64, the scale is one float32 number for each row
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    rows = x.reshape(-1, x.shape[-1])
    y = torch.empty(rows.shape, dtype=x.dtype)
    for i, row in enumerate(rows):
        mean = (row.double() ** 2).sum() / len(row)
        scale = (1.0 / torch.sqrt(mean.float() + eps)).float()
        y[i] = (row.float() * scale * weight).to(x.dtype)
    return y.reshape(x.shape)
