"""python -m autograder.benchmark"""

from .drive import main

main()
