# Both contractions by einsum, an in-place chain on fresh tensors only.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.einsum("mc,mc->m", o, do)
    return torch.einsum("mc,nc->mn", do, v).sub_(delta[:, None]).mul_(p)
