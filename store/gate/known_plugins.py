"""The patterns of detect-secrets, used directly (feasibility.md, (g)).

Its scanner calls every word in prose high entropy, and its spans are no mask spans (`ghp` for a
whole GitHub token), so only the plugins' own patterns are taken, and their whole match is masked.

Left out, each for a reason: Entropy and Public IP (prose), Secret Keyword, Basic Auth, JSON Web
Token, OpenAI, NPM and Private Key (quadratic on hostile text or header only; own rules instead),
Telegram, Discord and Twilio (no literal to ask for first, no boundary), Artifactory (only before
a space), Azure (takes its label), IBM COS (own labels).
Importing the package costs 112 ms, so that happens only when one of the literals is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from store.gate.secret_formats import PREFIXED_STEPS, Span, free_standing
from store.gate.secret_values import looks_random, stands_elsewhere

_PLUGINS: dict[str, tuple[str, ...]] = {
    "AWS Access Key": ("AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
    "Cloudant Credentials": ("cloudant",),
    "GitHub Token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "GitLab Token": (
        *("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941"),
        *("glcbt-", "glimt-", "glptt-", "glagent-", "gloas-"),
    ),
    "IBM Cloud IAM Key": ("ibm",),
    "Mailchimp Access Key": ("-us",),
    "PyPI Token": ("pypi-AgE",),
    "SendGrid API Key": ("SG.",),
    "Slack Token": ("xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxr-"),
    "SoftLayer Credentials": ("softlayer",),
    "Square OAuth Secret": ("sq0csp-",),
    "Stripe Access Key": ("sk_live_", "rk_live_"),
}
"""Plugin → literals, one of which stands in whatever it finds."""

_JOINED = re.compile(r"[A-Za-z0-9_-]*")


def find_known(text: str) -> Iterator[Span]:
    """Secrets that a plugin of detect-secrets knows."""
    for kind, literals in _PLUGINS.items():
        if any(literal in text for literal in literals):
            for pattern in _patterns().get(kind, ()):
                yield from _found(text, pattern, kind)


def _found(text: str, pattern: re.Pattern[str], kind: str) -> Iterator[Span]:
    """Where secrets lie. A group of eight or more is the value behind a label; a shorter one is
    only a part, as in GitHub's `(ghp|gho)_…`. Newer tokens are longer than the pattern: the rest
    of the run goes too, and is not looked at twice."""
    seen = 0
    for match in pattern.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group)
        if end - start < 8 or not group:
            start, end = match.span()
            if start < seen:
                continue
            joined = _JOINED.match(text, end)
            seen = end = joined.end() if joined else end
            if not free_standing(text, start):
                continue
        if _generated(text[start:end]):
            yield start, end, kind


def _generated(value: str) -> bool:
    if value.startswith(_PLUGINS["AWS Access Key"]):
        # Always twenty characters, and so few that one cannot ask for digits among them.
        return len(value) == 20 and not stands_elsewhere(value, quoted=True)
    return looks_random(value, PREFIXED_STEPS) and not stands_elsewhere(value, quoted=True)


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return {kind: tuple(classes[kind].denylist) for kind in _PLUGINS if kind in classes}
