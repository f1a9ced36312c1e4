# Right: adds up the pairs as an arithmetic series between first and last query, tensors counted one by one.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    fewest, most = length - new + 1, length
    pairs = (fewest + most) * new // 2
    multiply_add = 2
    score = value = multiply_add * d
    flops = heads * pairs * (score + value)
    numbers = {"q": heads * new * d, "k": kv_heads * length * d}
    numbers |= {"v": numbers["k"], "o": numbers["q"]}
    return flops, itemsize * sum(numbers.values())
