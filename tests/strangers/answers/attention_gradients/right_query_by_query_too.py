# a loop over the queries, each with the keys that it sees; dk and dv grow by outer products
def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of attention, one head, with whole matrices.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v); o: (N_q, d_v), L: (N_q,), what the forward pass
    gave; do: (N_q, d_v), the gradient of the loss with respect to o; all float32.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, any number, 1/sqrt(d) if None.
    Returns dq (N_q, d), dk (N_k, d), dv (N_k, d_v), same dtype. A query that sees no key
    (L = -inf) adds nothing to dk and dv, and its dq is 0.

        dV = P^T dO        dQ = scale * dS K        dK = scale * dS^T Q

    with P of `recompute_probabilities` and dS of `score_gradients`, which need not be called.
    Torch runs at most 100 + 40 (N_q + N_k) operations.
    Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad,
    vjp, jacobian. It stays within torch and Python. Arguments stay as they are, and results
    are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        seen = min(n_k, max(0, i + 1 + n_k - n_q)) if causal else n_k
        if seen == 0:
            continue
        keys = k[:seen]
        p = torch.exp(torch.mv(keys, q[i]) * scale - L[i])
        ds = p * (torch.mv(v[:seen], do[i]) - torch.dot(do[i], o[i])) * scale
        dq[i] = torch.mv(keys.T, ds)
        dk[:seen].addr_(ds, q[i])
        dv[:seen].addr_(p, do[i])
    return dq, dk, dv
