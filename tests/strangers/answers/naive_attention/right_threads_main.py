# threads are set, and a benchmark if run alone
import torch
torch.set_num_threads(1)
torch.set_default_dtype(torch.float32)
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


def naive_attention(q, k, v, causal: bool = False, scale: float | None = None):
    n_q, n_k = q.shape[1], k.shape[1]
    if scale is None:
        scale = q.shape[-1] ** -0.5
    s = scale * torch.matmul(q, k.transpose(1, 2))
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
        s = s.masked_fill(hidden, float("-inf"))
        return torch.softmax(s, dim=-1).masked_fill(hidden, 0.0) @ v
    return torch.softmax(s, dim=-1) @ v


if __name__ == "__main__":
    import time, random
    random.seed(0)
    start = time.perf_counter()
    naive_attention(*torch.randn(3, 1, 64, 8, device=device))
    print(f"{1e3 * (time.perf_counter() - start):.2f} ms")
