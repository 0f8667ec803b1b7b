"""Secrets that are known by their own shape and that detect-secrets 1.5 misses.

One row a format: kind, a literal that every such secret holds (asked first, with `in`, because
that is ten times cheaper than a pattern), and the pattern. A pattern begins with a literal or a
bounded class and repeats without bound only at its end: hostile text cannot make it quadratic.
Sources: the vendors' pages on token formats and the rules of gitleaks (read, not copied).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from store.gate.secret_values import looks_random, stands_elsewhere

Span = tuple[int, int, str]
"""Half-open code points of a secret, and its kind."""

PREFIXED_STEPS = 0.12
"""A known prefix already speaks for a secret, so less noise is asked of the rest than of a value
without one (0.2)."""


def _generated(body: str) -> bool:
    return looks_random(body, PREFIXED_STEPS) and not stands_elsewhere(body, quoted=True)


def _not_a_template(body: str) -> bool:
    return not stands_elsewhere(body, quoted=True) and not _TEMPLATE_WORD.fullmatch(body)


_TEMPLATE_WORD = re.compile(
    r"(?i:[a-z_-]*(?:pass|password|passwd|passphrase|pwd|secret)|pw|token|key)"
)


def _is_jwt(token: str) -> bool:
    """The header is JSON that names an algorithm (RFC 7519)."""
    head = token.split(".")[0]
    try:
        return "alg" in json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (ValueError, binascii.Error, TypeError):
        return False


def _is_pair(token: str) -> bool:
    """Base64 of `user:password` (RFC 7617)."""
    try:
        pair = base64.b64decode(token + "=" * (-len(token) % 4)).decode()
    except (ValueError, binascii.Error):
        return False
    return ":" in pair and pair.isprintable()


_compiled = cache(re.compile)


@dataclass(frozen=True, slots=True)
class Format:
    kind: str
    literal: str
    pattern: str
    """Its group 1, if it has one, is the secret; else the whole match. Compiled on first use:
    all of them at import would cost 40 ms of every cold command."""
    holds: Callable[[str], bool] = _generated

    def find(self, text: str) -> Iterator[Span]:
        pattern = _compiled(self.pattern)
        group = 1 if pattern.groups else 0
        for match in pattern.finditer(text):
            start, end = match.span(group)
            if (group or free_standing(text, start)) and self.holds(match[group]):
                yield start, end, self.kind


def free_standing(text: str, start: int) -> bool:
    r"""No letter, digit or joiner before it, unless that ends an escape such as \n in JSON."""
    before = text[start - 1] if start else " "
    if not (before.isascii() and (before.isalnum() or before in "_-")):
        return True
    return start > 1 and text[start - 2] == "\\" and before in "nrt"


def _row(kind: str, prefix: str, body: str, holds: Callable[[str], bool] = _generated) -> Format:
    """A format that starts with its literal."""
    return Format(kind, prefix, re.escape(prefix) + body, holds)


_END = r"(?![A-Za-z0-9])"

FORMATS: tuple[Format, ...] = (
    # models
    _row("Anthropic key", "sk-ant-", r"[a-z0-9]{2,12}-[\w-]{20,}"),
    _row("OpenAI key", "sk-proj-", r"[\w-]{20,}"),
    _row("OpenAI key", "sk-svcacct-", r"[\w-]{20,}"),
    _row("OpenAI key", "sk-admin-", r"[\w-]{20,}"),
    _row("OpenRouter key", "sk-or-", r"v1-[0-9a-f]{40,}"),
    _row("OpenAI key", "sk-", r"[A-Za-z0-9]{32,}"),
    _row("Hugging Face token", "hf_", r"[A-Za-z0-9]{30,}"),
    _row("Groq key", "gsk_", r"[A-Za-z0-9]{40,}"),
    _row("xAI key", "xai-", r"[A-Za-z0-9]{60,}"),
    _row("Perplexity key", "pplx-", r"[A-Za-z0-9]{40,}"),
    _row("Replicate token", "r8_", r"[A-Za-z0-9]{37,}"),
    # code and packages
    _row("GitHub token", "github_pat_", r"\w{60,}"),
    _row("npm token", "npm_", r"[A-Za-z0-9]{36,}"),
    _row("Artifactory key", "AKC", r"[A-Za-z0-9]{30,}"),
    _row("RubyGems key", "rubygems_", r"[0-9a-f]{48}"),
    _row("crates.io token", "cio", r"[A-Za-z0-9]{32}" + _END),
    _row("Docker Hub token", "dckr_pat_", r"[\w-]{20,}"),
    _row("Docker Hub token", "dckr_oat_", r"[\w-]{20,}"),
    _row("Bitbucket token", "ATBB", r"[A-Za-z0-9]{32}" + _END),
    _row("Atlassian token", "ATATT3", r"[\w=-]{60,}"),
    _row("Atlassian token", "ATCTT3", r"[\w=-]{60,}"),
    _row("Buildkite token", "bkua_", r"[0-9a-f]{40}"),
    _row("CircleCI token", "CCIPAT_", r"[\w-]{40,}"),
    _row("Sentry token", "sntrys_", r"[\w+/=-]{40,}"),
    _row("Sentry token", "sntryu_", r"[0-9a-f]{64}"),
    _row("Postman key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    # clouds
    _row("Google API key", "AIza", r"[\w-]{35}" + _END),
    _row("Google OAuth token", "ya29.", r"[\w-]{20,}"),
    _row("Google OAuth secret", "GOCSPX-", r"[\w-]{28}" + _END),
    _row("Google refresh token", "1//0", r"[\w-]{30,}"),
    _row("DigitalOcean token", "dop_v1_", r"[0-9a-f]{64}"),
    _row("DigitalOcean token", "doo_v1_", r"[0-9a-f]{64}"),
    _row("DigitalOcean token", "dor_v1_", r"[0-9a-f]{64}"),
    _row("Fly token", "fo1_", r"[\w-]{40,}"),
    _row("Fly token", "fm2_", r"[\w+/=-]{40,}"),
    _row("Fly token", "fm1r_", r"[\w+/=-]{40,}"),
    _row("Heroku key", "HRKU-", r"[\w-]{36,}"),
    _row("Netlify token", "nfp_", r"[A-Za-z0-9]{36,}"),
    _row("Cloudflare key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}"),
    _row("Databricks token", "dapi", r"[0-9a-f]{32}(?:-\d)?" + _END),
    _row("Supabase token", "sbp_", r"[0-9a-f]{40}"),
    _row("Supabase key", "sb_secret_", r"[\w-]{20,}"),
    _row("PlanetScale token", "pscale_", r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    _row("Pulumi token", "pul-", r"[0-9a-f]{40}"),
    _row("Tailscale key", "tskey-", r"[a-z]+-[A-Za-z0-9]{6,}-[A-Za-z0-9]{16,}"),
    Format("Azure storage key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{40,}={0,2})"),
    Format("Azure AD secret", "8Q~", r"[\w~.-]{3}8Q~[\w~.-]{31,}"),
    Format("Azure signature", "sig=", r"[?&]sig=([\w%+/]{40,}(?:%3[Dd]|=)?)"),
    Format("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
    # secret keepers
    _row("Vault token", "hvs.", r"[\w-]{24,}"),
    _row("Vault token", "hvb.", r"[\w-]{24,}"),
    _row("Vault token", "hvr.", r"[\w-]{24,}"),
    _row("age key", "AGE-SECRET-KEY-1", r"[0-9A-Za-z]{58}"),
    _row("1Password token", "ops_eyJ", r"[\w-]{80,}"),
    _row("Doppler token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,20}\.)?[\w-]{40,}"),
    # messages
    _row("Slack token", "xapp-", r"\d-[A-Z0-9]+-\d+-[0-9a-f]{32,}"),
    _row("Slack token", "xoxe", r"(?:\.xox[bp])?-\d-[A-Za-z0-9]{60,}"),
    Format(
        "Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{30,})",
    ),
    Format("Discord webhook", "/api/webhooks/", r"/api/webhooks/\d{15,21}/([\w-]{60,})"),
    Format("Discord token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    Format("Telegram token", ":", r"[0-9]{8,10}:[\w-]{35}(?![\w-])"),
    _row("Twilio key", "SK", r"[0-9a-f]{32}" + _END),
    _row("Mailgun key", "key-", r"[0-9a-f]{32}" + _END),
    # money, work, watching
    _row("Stripe key", "sk_test_", r"[A-Za-z0-9]{16,}"),
    _row("Stripe key", "rk_test_", r"[A-Za-z0-9]{16,}"),
    _row("webhook secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    _row("Square token", "sq0atp-", r"[\w-]{22,}"),
    _row("Shopify token", "shp", r"(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _row("Linear key", "lin_", r"(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _row("Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    _row("Notion token", "secret_", r"[A-Za-z0-9]{43}" + _END),
    _row("Airtable token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _row("Figma token", "figd_", r"[\w-]{36,}"),
    _row("Grafana token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-f]{8}"),
    _row("Grafana token", "glc_", r"[A-Za-z0-9+/=]{32,}"),
    _row("New Relic key", "NRAK-", r"[A-Z0-9]{27}"),
    Format("New Relic key", "NRAL", r"[0-9a-f]{36}NRAL" + _END),
    # any service
    Format(
        "JSON Web Token",
        "eyJ",
        r"(?:(?<![\w-])|(?<=\\n))eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}",
        _is_jwt,
    ),
    Format(
        "password in a URL",
        "://",
        r"://[^\s/:@?#\[\"'<>•]{0,128}:([^\s/@\"'<>•]{1,256})@",
        _not_a_template,
    ),
    Format(
        "basic credentials",
        "asic ",
        r"(?i:authorization)[\"']?\s?[:=]\s?[\"']?[Bb]asic ([A-Za-z0-9+/=]{8,})",
        _is_pair,
    ),
    Format(
        "registry credentials",
        "_auth",
        r"_auth\s?=\s?[\"']?([A-Za-z0-9+/=]{8,})",
        _is_pair,
    ),
)
