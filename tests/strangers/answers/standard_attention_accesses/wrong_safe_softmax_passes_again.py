# Charges the softmax kernel the three reads of the safe softmax of lesson 01 (maximum, sum, division), although a kernel reads each operand once.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    S = P = n * n
    Q = K = V = O = n * d
    return Q + K + 3 * S + P + V, S + P + O
