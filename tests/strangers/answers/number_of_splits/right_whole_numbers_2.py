# Whole numbers only: efficiencies are fractions (programs run, places in the waves), compared by cross products; 0.85 is 17 / 20.
def number_of_splits(programs, slots, most):
    def fraction(s):
        run = s * programs
        return run, (run + slots - 1) // slots * slots

    top, of = fraction(1)
    for s in range(2, most + 1):
        run, places = fraction(s)
        if run * of > top * places:
            top, of = run, places
    s = 1
    while True:
        run, places = fraction(s)
        if 20 * run * of >= 17 * top * places:
            return s
        s += 1
