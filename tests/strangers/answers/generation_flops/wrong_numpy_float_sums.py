# Sums the passes with torch.cumsum in float64 and rounds at the end: not exact any more once a result passes 2^53 and is no multiple of a large power of 2 (e.g. odd widths above 10000 with thousands of tokens).
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    t = torch.arange(1, prompt + new, dtype=torch.float64)
    per_token = 8.0 * width * width + 4.0 * t * width
    per_pass = torch.cumsum(per_token, 0)
    return int(per_pass[prompt - 1 :].sum().item()), int(per_pass[-1].item())
