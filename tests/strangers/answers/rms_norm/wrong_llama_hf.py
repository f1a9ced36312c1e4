# Wrong: HF's LlamaRMSNorm: rounds to the dtype of x before the weight, and float32 weights make the result float32.
# Breaks: "Returns y (..., D), dtype that of x. All is computed in float32 or wider and rounded at the end".
import torch


def rms_norm(x, weight, eps):
    input_dtype = x.dtype
    hidden_states = x.to(torch.float32)
    variance = hidden_states.pow(2).mean(-1, keepdim=True)
    hidden_states = hidden_states * torch.rsqrt(variance + eps)
    return weight * hidden_states.to(input_dtype)
