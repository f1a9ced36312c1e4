# checked against autograd below
import torch


def softmax_backward(p, dp):
    δ = torch.einsum("ij,ij->i", p, dp)
    return p.mul(dp.sub(δ.unsqueeze(-1)))


if __name__ == "__main__":
    import time
    t0 = time.perf_counter()
    x = torch.randn(5, 7, requires_grad=True)
    y = x.softmax(-1)
    g = torch.randn(5, 7)
    (dx,) = torch.autograd.grad(y, x, g)
    print(torch.allclose(dx, softmax_backward(y, g), atol=1e-6), time.perf_counter() - t0)
