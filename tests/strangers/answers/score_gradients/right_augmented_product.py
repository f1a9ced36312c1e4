# one matrix product of widened matrices: [dO, delta] times [V, -1] transposed is dP - delta
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
    delta = torch.linalg.vecdot(do, o).unsqueeze(1)
    left = torch.cat([do, delta], dim=1)
    right = torch.cat([v, v.new_full((v.shape[0], 1), -1.0)], dim=1)
    return torch.mul(torch.matmul(left, right.transpose(0, 1)), p)
