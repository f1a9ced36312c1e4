# Wrong: rounds waves up with int(w) + 1, so an exactly full wave counts as two; often the same answer thanks to the 0.85, wrong where full waves decide (programs = slots and most > 1, or most = the split that fills a wave).
def number_of_splits(programs: int, slots: int, most: int) -> int:
    waves = [s * programs / slots for s in range(1, most + 1)]
    efficiencies = [w / (int(w) + 1) for w in waves]
    enough = 0.85 * max(efficiencies)
    return next(s for s, e in enumerate(efficiencies, 1) if e >= enough)
