# rows flattened, sums of squares by einsum, divided by a root that has D eps below it
import math


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Each row of x divided by its root mean square, times a weight for each column.

    x: (..., D) float32 or 16 bits wide; weight: (D,) float32; eps: a small positive number.
    Returns y (..., D), dtype that of x. All is computed in float32 and rounded at the end: in
    float16 the square of 300 is infinite.

        y_c = weight_c x_c / sqrt(mean_c(x_c^2) + eps)

    Zhang and Sennrich (2019).
    Forbidden: rms_norm, layer_norm, group_norm, instance_norm, batch_norm, normalize. It
    stays within torch and Python. Arguments stay as they are, and results are new memory.
    """
    rows = x.to(torch.float32).reshape(-1, x.shape[-1])
    D = rows.shape[1]
    squares = torch.einsum("rc,rc->r", rows, rows)
    factor = math.sqrt(D) / torch.sqrt(squares + D * eps)
    return torch.einsum("r,rc,c->rc", factor, rows, weight.float()).reshape(x.shape).to(x.dtype)
