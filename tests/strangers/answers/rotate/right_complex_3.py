# each pair as a complex number, turned by a product, and taken apart again
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """Rotary position embedding: pairs of a row's numbers turned by position times frequency.

    x: (..., N, d) float32 or 16 bits wide, d even; positions: (N,) int64, at least 0;
    frequencies: (d/2,) float32, in radians per token.
    Returns y (..., N, d), same dtype. Column c < d/2 and column c + d/2 make pair c. Angles are
    computed in float32, whatever the dtype of x is.

        y_c       = x_c cos(p f_c) - x_{c + d/2} sin(p f_c)        p: the row's position
        y_{c+d/2} = x_{c + d/2} cos(p f_c) + x_c sin(p f_c)        f: frequencies

    Su et al. (2021), with the pairs of Llama's checkpoints.
    Arguments stay as they are, and results are new memory.
    """
    half = x.shape[-1] // 2
    real, imaginary = x.to(torch.float32).split(half, dim=-1)
    angle = torch.einsum("n,c->nc", positions.to(torch.float32), frequencies.to(torch.float32))
    turn = torch.complex(angle.cos(), angle.sin())
    turned = torch.complex(real.contiguous(), imaginary.contiguous()) * turn
    y = torch.empty_like(x, memory_format=torch.contiguous_format)
    y[..., :half] = turned.real
    y[..., half:] = turned.imag
    return y
