"""Benchmarks, run by hand: `python -m tests.bench --quality`."""
