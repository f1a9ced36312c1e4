# checked by a main function
import torch


def softmax_backward(p, dp):
    return p * (dp - (p * dp).sum(dim=-1, keepdim=True))


def main():
    x = torch.randn(5, 7, requires_grad=True)
    g = torch.randn(5, 7)
    y = x.softmax(-1)
    (dx,) = torch.autograd.grad(y, x, g)
    print((dx - softmax_backward(y.detach(), g)).abs().max())


if __name__ == "__main__":
    main()
