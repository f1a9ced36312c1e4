# No masking at all: a loop over queries cuts the visible prefix of keys and calls torch.softmax on it.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = v.new_zeros(q.shape[0], n_q, v.shape[2])
    for i in range(n_q):
        seen = min(n_k, max(0, i + n_k - n_q + 1)) if causal else n_k
        if seen:
            s = scale * torch.einsum("hd,hnd->hn", q[:, i], k[:, :seen])
            out[:, i] = torch.einsum("hn,hne->he", s.softmax(dim=1), v[:, :seen])
    return out
