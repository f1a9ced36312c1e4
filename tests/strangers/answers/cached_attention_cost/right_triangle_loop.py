# The visible pairs are the difference of two triangular numbers.
def _triangle(n: int) -> int:
    return n * (n + 1) // 2


def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    pairs = _triangle(length) - _triangle(length - new)
    queries_and_outputs, keys_and_values = 2 * heads * new * d, 2 * kv_heads * length * d
    return 4 * heads * d * pairs, itemsize * (queries_and_outputs + keys_and_values)
