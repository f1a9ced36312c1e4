# Takes delta as sum_j P_ij dP_ij over the given keys alone: right when the keys are all there are, wrong for a part of them.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    delta = (p * dp).sum(dim=-1, keepdim=True)  # the softmax backward of step 1
    return p * (dp - delta)
