# einsum for both contractions
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    incoming = torch.einsum("mc,nc->mn", do, v)
    delta = torch.einsum("mc,mc->m", do, o)
    return p * incoming.sub(delta.view(-1, 1))
