"""Long runs: `python -m tests.soak`. Their short forms run in `make test`."""
