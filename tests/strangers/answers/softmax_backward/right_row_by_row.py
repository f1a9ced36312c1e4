# one row at a time with torch.dot, written into a new matrix
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    """The gradient of the scores from the gradient of their softmax, row by row.

    p: (R, N), rows of probabilities; dp: (R, N), the gradient of the loss with respect to p;
    both float32. Returns ds (R, N), same dtype. A row of zeros in p gives zeros.

        dS_ij = P_ij (dP_ij - sum_t P_it dP_it)

    The Jacobian diag(P_i) - P_i P_i^T of a row, N x N, is never made. Memory: at most five
    matrices of R x N numbers at a time, ds among them. Torch runs at most 100 + 40 (R + N)
    operations.
    Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad,
    vjp, jacobian. It stays within torch and Python. Arguments stay as they are, and results
    are new memory.
    """
    ds = torch.empty(p.shape, dtype=p.dtype, device=p.device)
    for i in range(p.shape[0]):
        average = torch.dot(p[i], dp[i])
        ds[i] = p[i] * (dp[i] - average)
    return ds
