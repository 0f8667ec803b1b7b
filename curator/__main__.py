"""`python -m curator`."""

import sys

from curator.cli import main

sys.exit(main())
