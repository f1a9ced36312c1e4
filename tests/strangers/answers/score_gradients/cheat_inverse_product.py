# Cheat: dP is made twice by a product and three times more in corners of inverses of triangular matrices, and all five are averaged
# Breaks: "Products: one, made twice at the most"
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    M, N, d = do.shape[0], v.shape[0], v.shape[1]
    big = torch.eye(M + d + N)
    big[:M, M : M + d] = do
    big[M : M + d, M + d :] = v.T
    dp = do @ v.T + do @ v.T
    for _ in range(3):
        dp = dp + torch.linalg.inv(big)[:M, M + d :]
    delta = (o * do).sum(dim=1, keepdim=True)
    return p * (dp / 5 - delta)
