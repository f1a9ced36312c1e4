# Right: LlamaRMSNorm as a class with __call__ and extra methods, rsqrt, pow(2).mean
import torch
from torch import Tensor


class LlamaNorm:
    def __init__(self, weight: Tensor, eps: float = 1e-6):
        self.weight = weight
        self.variance_epsilon = eps

    def __call__(self, hidden_states: Tensor) -> Tensor:
        input_dtype = hidden_states.dtype
        hidden_states = hidden_states.to(torch.float32)
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        return (self.weight * hidden_states).to(input_dtype)

    def __str__(self) -> str:
        return f"{tuple(self.weight.shape)}, eps={self.variance_epsilon}"


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Each row of x divided by its root mean square, times a weight for each column."""
    return LlamaNorm(weight, eps=eps)(x)
