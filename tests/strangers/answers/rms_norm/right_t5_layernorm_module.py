# Right: an nn.Module-like class as LlamaRMSNorm, pow/rsqrt, upcast and cast back
import torch
from torch import Tensor, nn


class LlamaRMSNorm(nn.Module):
    def __init__(self, weight, eps=1e-6):
        super().__init__()
        self.weight = weight
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        input_dtype = hidden_states.dtype
        hidden_states = hidden_states.to(torch.float32)
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        return (self.weight * hidden_states).to(input_dtype)


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return LlamaRMSNorm(weight, eps)(x)
