# hypot(root of the mean square, root of eps), rows flattened, sums by einsum in float64
def rms_norm(x, weight, eps):
    columns = x.shape[-1]
    rows = x.reshape(-1, columns).to(torch.float64)
    squares = torch.einsum("rc,rc->r", rows, rows) / columns
    size = torch.hypot(squares.sqrt(), torch.full_like(squares, eps).sqrt())
    y = torch.einsum("rc,c,r->rc", rows, weight.to(torch.float64), 1.0 / size)
    return y.to(x.dtype).reshape(x.shape)
