# linalg.vecdot and operator functions, an algebraist's notation
from operator import matmul, mul, sub


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.linalg.vecdot(do, o, dim=-1)
    return mul(p, sub(matmul(do, v.mT), delta[:, None]))
