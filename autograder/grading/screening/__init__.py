"""Does submitted code reach for the checker that runs beside it?

Values are compared outside the sandbox, where no submission can interfere. Bytes, lines and operators are counted
inside, in the interpreter that runs the submission, where Python hides nothing. An answer that uses more of Python and
its libraries than answers need is therefore set aside for a person to review. This is a flag, not a wall.
"""

from .kernels import kernel_reaches_for as kernel_reaches_for
from .python import reaches_for as reaches_for
from .python import suspects as suspects
