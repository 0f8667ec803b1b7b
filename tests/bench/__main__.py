"""`python -m tests.bench`: speed as ratios within one run, and how well the search finds.

`--speed`, `--app`, `--quality`, `--pairs`, `--consolidate`, `--screening` and `--erase` choose a
part; without any, all of them run.
"""

from __future__ import annotations

import argparse


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--speed", action="store_true", help="ratios at 10k and 100k memories")
    parser.add_argument("--size", type=int, action="append", help="of speed, app, consolidate")
    parser.add_argument("--app", action="store_true", help="first paint, ticker, key to answer")
    parser.add_argument("--quality", action="store_true", help="recall, MRR, no-match behaviour")
    parser.add_argument(
        "--classes", action="store_true", help="with --quality: by class of question"
    )
    parser.add_argument("--pairs", action="store_true", help="what rules see in pairs of memories")
    parser.add_argument("--consolidate", action="store_true", help="all of it against one write")
    parser.add_argument("--screening", action="store_true", help="secrets, injections, hidden text")
    parser.add_argument("--erase", action="store_true", help="one memory, then a tenth of all")
    args = parser.parse_args()
    parts = (args.speed, args.app, args.quality, args.pairs, args.consolidate, args.screening)
    parts = (*parts, args.erase)
    everything, failed = not any(parts), 0
    if args.speed or everything:
        from tests.bench import speed

        speed.run(tuple(args.size or (10_000, 100_000)))
    if args.app or everything:
        from tests.bench import app

        app.run(tuple(args.size or (0, 100_000)))
    if args.quality or everything:
        from tests.bench import quality

        print(quality.report(by_class=args.classes))
    if args.pairs or everything:
        from tests.bench import pairs

        failed = pairs.run()
    if args.consolidate or everything:
        from tests.bench import consolidating

        consolidating.run(tuple(args.size or (10_000, 100_000)))
    if args.screening or everything:
        from tests.bench import screening

        screening.run()
    if args.erase or everything:
        from tests.bench import erasing

        erasing.run(tuple(args.size or (100_000,)))
    return failed


raise SystemExit(main())
