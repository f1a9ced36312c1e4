# a coroutine that is sent the elements, early `continue` for masked ones, two branches
def _listener():
    import numpy as np

    m, l = np.float32("-inf"), np.float32(0.0)
    while True:
        x = yield m, l
        if np.isneginf(x):
            continue
        if x <= m:
            l = l + np.exp(x - m)
        else:
            l = l * np.exp(m - x) + np.float32(1)
            m = x


def online_stats(stream):
    ear = _listener()
    answer = next(ear)
    for x in stream:
        answer = ear.send(x)
    ear.close()
    return answer
