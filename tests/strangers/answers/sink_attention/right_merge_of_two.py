# Right: attends to the window and to the sinks before it separately and merges the two by their maxima and log-sums, as two blocks.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    s = q @ k.T * scale

    def part(seen, first_keys):
        """Output, maximum and log of the sum for the seen ones of the first keys."""
        x = s[:, :first_keys].masked_fill(~seen[:, :first_keys], -torch.inf)
        top = x.amax(dim=1, keepdim=True)
        top = top.masked_fill(top == -torch.inf, 0.0)
        e = torch.exp(x - top)
        total = e.sum(dim=1, keepdim=True)
        return e @ v[:first_keys] / total.masked_fill(total == 0, 1.0), top, total.log()

    near_o, near_top, near_log = part((j <= p) & (j > p - window), n_k)
    few = min(sinks, n_k)
    if few == 0:
        return near_o
    far_o, far_top, far_log = part((j <= p - window) & (j < sinks), few)
    # the sinks' share of all weight; 0 where no sink lies before the window
    share = torch.sigmoid((far_top - near_top) + (far_log - near_log))
    return far_o * share + near_o * (1 - share)
