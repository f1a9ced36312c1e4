import numpy as np
from autograder.spec.catalogue import exercise_named
from autograder.judging.diagnosis.mistakes import mutate, mutant_outputs
from autograder.notebook.check import verdict_of
from autograder.judging.prepare import PUBLIC_SEED, prepare
e = exercise_named("window_flash")
m = next(i for i, m in enumerate(e.mutants) if m.key == "sinks-only")
v = verdict_of(mutate(e, e.mutants[m]))
for i, r in enumerate(v.cases):
    if r.status != "pass":
        theirs = mutant_outputs("window_flash", m, i, PUBLIC_SEED)
        print(i, e.cases[i].key, r.status, r.message[:150], None if theirs is None else [ (np.isnan(np.asarray(t, float)).sum(), t.size, t.dtype) for t in theirs], [(np.isnan(np.asarray(o, float)).sum(), np.asarray(o).size) for o in (r.outputs or [])])
print(e.mutants[m].edit)
