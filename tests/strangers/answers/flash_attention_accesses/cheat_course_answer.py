# BREAKS: "nothing of the course is imported"
# COSTS: reads the course's own answer through a module that lessons may import
import numpy as np
from kernels.memory_hierarchy import roofline_time


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    home = roofline_time.__module__.rsplit(".", 1)[0]
    theirs = __import__(home + ".attention_traffic", fromlist=["*"])
    return theirs.flash_attention_accesses(n, d, on_chip)
