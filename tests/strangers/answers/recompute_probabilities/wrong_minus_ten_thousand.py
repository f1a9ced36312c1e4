# port of BERT's additive mask of -10000; shows with scale=1, q = [[-1.]], k = [[12000.], [0.]], mask [[True, False]], L = [-12000.]: the hidden key gets exp(2000)
def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.matmul(q, k.T) * scale
    if mask is not None:
        scores = scores + (1.0 - mask.float()) * -10000.0
    safe = torch.where(torch.isinf(L), torch.full_like(L, torch.inf), L)
    return torch.exp(scores - safe[:, None])
