"""python -m autograder.bench"""

from .drive import main

main()
