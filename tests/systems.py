"""Test files of whole systems, which take most of the time that all tests take: that one passes is a claim of
tests/proofs.py, so that it is not run again where nothing has changed that it depends on.
"""

SYSTEMS = (
    "tests/grading/hostile/test_hostile.py",
    "tests/grading/hostile/test_hostile_cuda.py",
    "tests/grading/hostile/test_hostile_kernels.py",
    "tests/grading/reading/test_fuzz.py",
    "tests/grading/reading/test_loose_files.py",
    "tests/grading/test_memory.py",
    "tests/judging/test_diagnosis.py",
    "tests/judging/test_stateful.py",
    "tests/nbgrader/test_nbgrader.py",
    "tests/processes/test_sandbox.py",
    "tests/processes/test_survivors.py",
    "tests/processes/test_walls.py",
    "tests/shell/test_cli.py",
    "tests/shell/test_wheel.py",
    "tests/spec/test_no_triton.py",
)
