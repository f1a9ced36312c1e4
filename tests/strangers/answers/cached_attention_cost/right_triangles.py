# Visible pairs as a difference of two triangles, tensors by their shapes.
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    def triangle(n):
        return n * (n + 1) // 2

    visible = triangle(length) - triangle(length - new)
    shapes = [(heads, new, d)] * 2 + [(kv_heads, length, d)] * 2
    moved = sum(a * b * c for a, b, c in shapes) * itemsize
    return 2 * 2 * d * heads * visible, moved
