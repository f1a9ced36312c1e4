# style: right; a small class with sizes, KV head by KV head
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    class Matrix:
        def __init__(self, rows, columns):
            self.rows, self.columns = rows, columns
            self.size = rows * columns

        def times(self, other):
            return 2 * self.rows * self.columns * other.columns, Matrix(self.rows, other.columns)

    flops = moved = 0
    group = heads // kv_heads
    Q, K, V = Matrix(group, d), Matrix(n, d), Matrix(n, d)
    first, P = Q.times(Matrix(d, n))
    second, O = P.times(V)
    for size in (Q.size, K.size, V.size, O.size):
        moved += size
    flops = first + second
    return flops * kv_heads * batch, moved * kv_heads * batch * itemsize
