# llm.c port: dS scaled by 1/sqrt(head size) as before dQ and dK; wrong where d_v > 1
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.einsum("mc,mc->m", do, o)
    dp = torch.einsum("mc,nc->mn", do, v)
    return p * (dp - delta[:, None]) * v.shape[1] ** -0.5
