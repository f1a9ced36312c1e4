# einsum for the exponents, then only the visible entries are exponentiated and put into a matrix of zeros by boolean indexing
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """The probabilities of some queries for some keys, recomputed from the log-sum-exps.

    q: (M, d), k: (N, d), L: (M,), the queries' log-sum-exps over all keys; all float32.
    mask: (M, N) bool, True where a query may see a key; None: it sees all N.
    scale: factor of the scores, any number, 1/sqrt(d) if None.
    Returns p (M, N), same dtype. A query that sees no key at all has L = -inf and False in its
    row of the mask, and gets zeros.

        P_ij = exp(scale * q_i k_j^T - L_i), 0 where masked

    Torch runs at most 100 + 40 (M + N) operations.
    Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad,
    vjp, jacobian. It stays within torch and Python. Arguments stay as they are, and results
    are new memory.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.einsum("md,nd->mn", q, k).mul(scale)
    p = torch.zeros_like(exponent)
    seen = torch.ones_like(exponent, dtype=torch.bool) if mask is None else mask
    row = L.reshape(-1, 1).expand_as(exponent)
    p[seen] = torch.exp(exponent[seen] - row[seen])
    return p
