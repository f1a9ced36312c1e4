# Wrong: takes the first split whose own efficiency is 0.85, not 0.85 of the best one's, and the most if there is none.
# Breaks: "the smallest s whose efficiency is at least 0.85 of the best one's".
import math


def number_of_splits(programs, slots, most):
    for s in range(1, most + 1):
        w = s * programs / slots
        if w / math.ceil(w) >= 0.85:
            return s
    return most
