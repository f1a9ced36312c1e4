# torch.nn.functional.linear and a closure for the gate
import torch.nn.functional as F


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    def gate(z: Tensor) -> Tensor:
        return z / z.neg().exp().add(1)

    return F.linear(gate(F.linear(x, w_gate)) * F.linear(x, w_up), w_down)
