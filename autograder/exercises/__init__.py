"""Everything about checking the exercises, one module a lesson: cases, mutants, hints, budgets, points, questions."""
