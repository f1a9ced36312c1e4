# Wrong: efficiencies are rounded to two digits before they are compared.
# Breaks: "efficiency is at least 0.85 of the best one's, in floats or exactly".
import math


def number_of_splits(programs, slots, most):
    waves = [s * programs / slots for s in range(1, most + 1)]
    efficiency = [round(w / math.ceil(w), 2) for w in waves]
    best = max(efficiency)
    return next(s for s, e in enumerate(efficiency, 1) if e >= 0.85 * best)
