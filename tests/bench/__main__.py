"""`python -m tests.bench --quality`: how well the search finds, on the labelled set."""

from __future__ import annotations

import argparse

from tests.bench import quality


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quality", action="store_true", help="recall, MRR, no-match behaviour")
    parser.add_argument("--classes", action="store_true", help="with --quality: by class of question")
    args = parser.parse_args()
    if not args.quality:
        parser.print_help()
        return 2
    print(quality.report(by_class=args.classes))
    return 0


raise SystemExit(main())
