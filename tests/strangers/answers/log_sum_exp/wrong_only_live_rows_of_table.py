# Handles masked rows of a table, (R, N), but not those of a batch (B, R, N) nor a single masked row.
def log_sum_exp(x):
    if x.ndim == 2:
        out = np.full(len(x), -np.inf, x.dtype)
        live = x.max(axis=1) > -np.inf
        rows = x[live]
        top = rows.max(axis=1, initial=-np.inf)
        out[live] = top + np.log(np.exp(rows - top[:, None]).sum(axis=1))
        return out
    top = x.max(axis=-1, keepdims=True)
    return (top + np.log(np.exp(x - top).sum(axis=-1, keepdims=True)))[..., 0]
