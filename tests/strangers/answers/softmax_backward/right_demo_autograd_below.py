# Right: the answer is plain; below it the student compares with autograd in a demo (a forbidden word outside of the answer)
import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    """The gradient of the scores from the gradient of their softmax, row by row."""
    return p * (dp - (p * dp).sum(dim=1, keepdim=True))


x = torch.randn(3, 4, requires_grad=True)
y = torch.softmax(x, dim=1)
g = torch.randn(3, 4)
y.backward(g)
print("difference to autograd:", (x.grad - softmax_backward(y.detach(), g)).abs().max().item())
