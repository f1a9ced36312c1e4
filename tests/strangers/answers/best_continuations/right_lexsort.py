# numpy: a list of the allowed pairs, sorted by lexsort with beams and tokens as further keys
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """The n likeliest texts that are one of the beams and a token more.

    scores: (B,) float32, the log-probabilities of the beams, each <= 0, however small. logits:
    (B, V) float32, behind each of them, from -10^6 to 10^6; -inf: the token must not follow,
    which may hold for a whole row.
    Returns score (m,) float32, beam (m,) int64 and token (m,) int64, the likeliest first: score
    is that of the beam plus the token's log-probability under the softmax of its logits, up to
    the rounding of numbers as large as these. Equal ones stand in the order of their beams, and
    in a beam in that of their tokens.
    m is n, or fewer if fewer texts may follow.
    Arguments stay as they are, and results are new memory.
    """
    x, s = logits.detach().cpu().numpy(), scores.detach().cpu().numpy()
    beam, token = np.nonzero(x > -np.inf)
    top = x.max(axis=1, initial=-np.inf, keepdims=True)
    z = x - np.where(np.isinf(top), np.float32(0), top)
    total = np.exp(z).sum(axis=1, keepdims=True, dtype=np.float64)
    log_p = (z - np.log(np.maximum(total, 1e-300))).astype(np.float32)
    score = s[beam] + log_p[beam, token]
    order = np.lexsort((token, beam, -score))[:n]
    return tuple(torch.from_numpy(a[order].copy()).to(scores.device) for a in (score, beam, token))
