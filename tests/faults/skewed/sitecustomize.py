"""Python imports this at its start where this folder is in PYTHONPATH: the clock is so many seconds ahead."""

import os
import time

_real, _ahead = time.time, float(os.environ["LYCOSA_TEST_SKEW"])
time.time = lambda: _real() + _ahead
