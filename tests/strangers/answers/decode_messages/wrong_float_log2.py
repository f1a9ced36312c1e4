# Wrong: rounds are ceil(log2 W) for any W, as for a tree with a ragged edge.
# Breaks: "way \"tree\": `merge_by_tree`", whose rounds are "log2(P) rounds of messages, and two more if W is not P".
import math


def decode_messages(way, size, n, heads, kv_heads, d, width):
    if way == "ring":
        return size - 1, (size - 1) * (n // size) * 2 * kv_heads * d * width
    rounds = math.ceil(math.log2(size))
    return rounds, rounds * heads * (d + 1) * 4
