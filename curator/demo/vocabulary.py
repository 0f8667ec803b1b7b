"""The words that `bulk` makes notes of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject and the things one says something about."""

    name: str
    things: tuple[str, ...]


def _topic(name: str, things: str) -> Topic:
    return Topic(name, tuple(part.strip() for part in things.split(",")))


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


TOPICS = (
    _topic("deploy", "the release job, the canary, the rollback, the image tag, the freeze"),
    _topic("database", "the pool, the replica, the migration, the lock, the index on berth_id"),
    _topic("cache", "the availability cache, the tariff cache, the key schema, the warm-up job"),
    _topic("queue", "the outbox relay, the dead letters, the consumer of booking.confirmed"),
    _topic("booking", "the hold, the sweeper, the waiting list, the check-in window, the quote"),
    _topic("price", "the season table, the tourist tax, the voucher, the rounding, the commission"),
    _topic("refund", "the storm rule, the refund worker, the second approval, the bank's delay"),
    _topic("session", "the idle limit, the refresh token, the session store, the sign-out"),
    _topic("login", "the attempt counter, the passkey, the backup code, the tenant check"),
    _topic("partner", "the sandbox, the webhook signature, the quota, the partner key"),
    _topic("map", "the vector tiles, the pier drawing, the zoom limit, the lazy map"),
    _topic("calendar", "the night view, the arrivals board, the time zone, the week header"),
    _topic("tablet", "the quay tablet, the offline queue, the wake lock, the PIN"),
    _topic("tides", "the tide curve, the provider file, the breaker, the low-water rule"),
    _topic("meter", "the pedestal reading, the Modbus reader, the kWh price, the spare meter"),
    _topic("mail", "the confirmation mail, the DMARC record, the outbox table, the reminder"),
    _topic("reports", "the nightly export, the column list, the weekly mail, the forecast"),
    _topic("alerts", "the error-ratio alert, the oldest-hold alert, the mute, the pager"),
    _topic("tests", "the template database, the fuzz corpus, the flaky list, the golden files"),
    _topic("style", "the lint baseline, the commit message, the naming rule, the comment"),
    _topic("infra", "the Terraform plan, the state lock, the NAT gateway, the runner image"),
    _topic("search", "the trigram index, the alias table, the empty searches, the prefix rule"),
)

LISTS: Mapping[str, tuple[str, ...]] = {
    "port": _list(
        "Kiel, Laboe, Husum, Emden, Wismar, Rostock, Cuxhaven, Flensburg, Stralsund, Danzig, "
        "Antwerp, Rotterdam, Gdynia, Malmö, Aarhus, Helgoland, Lübeck, Borkum, Sassnitz, Visby"
    ),
    "person": _list("Dana, Anke, Jonas, Minh, Li Wei, Priya, Tomás, Sofia, Khoa, Hạnh"),
    "unit": _list("ms, seconds, minutes, MB, rows, requests, percent, berths, euros, retries"),
    "verb": _list(
        "failed, was late, doubled, went quiet, grew, came back, ran twice, stopped, drifted, "
        "slowed down, was skipped, took the wrong row, ignored the flag, lost its lease"
    ),
    "cause": _list(
        "a missing index, a stale file, a clock that drifted, an empty list, a default, "
        "a full disk, a renamed view, a lost message, a retry without a key, an old browser, "
        "daylight saving, a proxy in between, a copied profile, a comma in a name"
    ),
    "tool": _list(
        "harborctl, make, pnpm, psql, k6, terraform, nomad, rg, benchstat, actionlint, sqlc, buf"
    ),
    "flag": _list(
        "--dry-run, --limit 100, --check, --since 24h, --verbose, --force, "
        "--shard 2/4, --update, --grace 48h, --only-failed"
    ),
    "name": _list(
        "loadAvailability, extendHold, berth_hold_ttl, useTideChart, lock_timeout, stripe_seen, "
        "tariff.changed, HRB-4091, HRB-4103, session_epoch, cacheSchema, partner_origins, "
        "X-Tidepool-Build, GOCACHE_EPOCH, invoice_counter, quote_lines, warn_cell, fitRules"
    ),
    "when": _list(
        "on a Monday, at night, in the season, after a release, at the regatta, in winter, "
        "before nine, at the end of the month, during the drill, on the first try"
    ),
}

ENDINGS = (
    "{person} saw it first.",
    "Measured {when}: {number} {unit}.",
    "The reason was {cause}.",
    "Look at {file} before touching it.",
    "`{tool} {flag}` shows it.",
    "It does not hold for {port}.",
    "Only {name} depends on it.",
    "Ask {person} when it has to be different.",
    "Commit {sha} has the details.",
    "Nothing was lost.",
    "It happened once more in {port}.",
)

KINDS = (
    (
        "fact",
        "semantic",
        (
            "{thing} is limited to {number} {unit} in {port}.",
            "`{name}` decides about {thing}, not {file}.",
            "{thing} is read from {file} once at start.",
            "{port} needs {number} {unit} more for {thing} than the others.",
        ),
    ),
    (
        "decision",
        "semantic",
        (
            "we keep {thing} as it is until {person} has numbers from {port}.",
            "{thing} moves to {file}; {number} {unit} are enough.",
            "no second {name}: {thing} does it.",
        ),
    ),
    (
        "procedure",
        "semantic",
        (
            "when {thing} {verb}, run `{tool} {flag}` and wait {number} {unit}.",
            "before a change of {thing} tell {person} and the office in {port}.",
            "to see {thing} use `{tool} {flag}` with {name}.",
        ),
    ),
    (
        "preference",
        "semantic",
        (
            "{person} wants {thing} explained in {number} lines at most.",
            "{person} prefers {name} over a new word for {thing}.",
        ),
    ),
    (
        "reference",
        "semantic",
        ("{thing} is described in {file}.", "numbers on {thing} are kept by {person}."),
    ),
    (
        "event",
        "episodic",
        (
            "{thing} {verb} in {port} {when}, because of {cause}.",
            "session on {thing}: {verb} after {number} {unit}, repaired with {name} in {sha}.",
            "{person} reported from {port} that {thing} {verb}.",
            "tried `{tool} {flag}` on {thing} {when}; it {verb}.",
        ),
    ),
)
KIND_WEIGHTS = (30, 14, 14, 8, 6, 28)

SCOPES = (
    "project/harbor-api",
    "project/harbor-api/auth",
    "project/tidepool-web",
    "user/dana",
    "agent/claude-code",
    "agent/codex",
    "global",
)
SCOPE_WEIGHTS = (38, 12, 24, 6, 8, 6, 6)

ASPECTS = _list("limit, owner, order, rule, window, timeout, source, format, cost, age")
TAGS = _list("ops, incident, season, money, speed, review, port, time, law, offline, api, ui")
FOLDERS = _list("internal, docs, infra, src, scripts, ops, db/query, api")
ENDS = _list(".go, .md, .toml, .sql, .ts, .yml, _test.go, .tf")
NUMBERS = (2, 3, 5, 8, 10, 12, 15, 18, 20, 24, 30, 40, 45, 60, 90, 120, 200, 350, 480, 900, 1_500)
