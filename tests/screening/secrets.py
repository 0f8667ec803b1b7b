"""Synthetic secrets: 32 kinds × 6 sentences or files each, drawn from a generator.

No value stands in this file: prefixes are written in two pieces and the rest is drawn, so that
no scanner of a code host takes the test for a leak.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator

_62 = string.ascii_letters + string.digits
_64 = _62 + "+/"
_URL = _62 + "-_"
_HEX = "0123456789abcdef"
_UP = string.ascii_uppercase + string.digits
Make = Callable[[random.Random], str]


def _draw(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choices(alphabet, k=size))


def _of(prefix: str, alphabet: str, size: int, suffix: str = "") -> Make:
    return lambda rng: prefix.replace("~", "") + _draw(rng, alphabet, size) + suffix


def _slack(rng: random.Random) -> str:
    return f"xo{'xb'}-{_draw(rng, string.digits, 12)}-{_draw(rng, string.digits, 12)}-" + _draw(
        rng, _62, 24
    )


def _slack_hook(rng: random.Random) -> str:
    return f"T{_draw(rng, _UP, 9)}/B{_draw(rng, _UP, 9)}/{_draw(rng, _62, 24)}"


def _jwt(rng: random.Random) -> str:
    head = {"alg": "HS256", "typ": "JWT"}
    body = {"sub": _draw(rng, string.digits, 10), "iat": rng.randrange(1 << 31)}
    parts = [
        base64.urlsafe_b64encode(json.dumps(p, separators=(",", ":")).encode()).decode().rstrip("=")
        for p in (head, body)
    ]
    return ".".join([*parts, _draw(rng, _URL, 43)])


def _pem(rng: random.Random) -> str:
    lines = [_draw(rng, _64, 64) for _ in range(6)]
    kind = rng.choice(("RSA PRIVATE", "PRIVATE", "EC PRIVATE", "OPENSSH PRIVATE"))
    return "\n".join([f"-----BEGIN {kind} KEY-----", *lines, f"-----END {kind} KEY-----"])


def _word(rng: random.Random) -> str:
    """A password as people make them."""
    words = ("Harbor", "winter", "Blue", "tiger", "Monday", "coffee")
    return rng.choice(words) + rng.choice("!#%&-_") + _draw(rng, string.digits, 4)


def _telegram(rng: random.Random) -> str:
    return f"{_draw(rng, '123456789', 10)}:AA{_draw(rng, _URL, 33)}"


def _discord(rng: random.Random) -> str:
    return f"M{_draw(rng, _URL, 23)}.{_draw(rng, _URL, 6)}.{_draw(rng, _URL, 27)}"


_SIX = (
    "The key is {v} until March.",
    "KEY={v}\nREGION=eu-central-1",
    'const key = "{v}"; // rotate in May',
    "curl -H 'X-Key: {v}' https://api.example.com/v1",
    '{{"name": "harbor", "token": "{v}"}}',
    "we rotated `{v}` after the incident",
)


def _labelled(*labels: str) -> tuple[str, ...]:
    return tuple(labels)


_PASSWORDS = _labelled(
    "password: {v}",
    "DB_PASSWORD={v}",
    'password = "{v}"',
    "login dana, password {v!s}".replace("!s", ""),
    '{{"user": "dana", "password": "{v}"}}',
    "passwd: '{v}' for the staging box",
)
_SPOKEN = _labelled(
    "The password for the staging box is {v}",
    "Dana's wifi password is {v}.",
    "the admin password is {v}, change it after login",
    "Password for grafana is: {v}",
    "our shared passphrase is {v}",
    "The root password of build-03 is {v}",
)
_URLS = _labelled(
    "postgres://harbor:{v}@db.example.com:5432/harbor",
    "DATABASE_URL=mysql://root:{v}@10.0.0.4/app",
    "redis://:{v}@cache.example.com:6379/0",
    "git clone https://dana:{v}@git.example.com/x.git",
    "mongodb+srv://app:{v}@cluster0.example.net/db",
    "amqp://worker:{v}@mq.example.com//",
)
_BEARER = _labelled(
    "Authorization: Bearer {v}",
    "curl -H 'Authorization: Bearer {v}' https://api.example.com/me",
    'headers = {{"Authorization": "Bearer {v}"}}',
    "authorization: bearer {v}",
    "fetch(url, {{headers: {{Authorization: 'Bearer {v}'}}}})",
    "The call needs `Authorization: Bearer {v}`",
)
_AWS = _labelled(
    "aws_secret_access_key = {v}",
    "AWS_SECRET_ACCESS_KEY={v}",
    'secretAccessKey: "{v}"',
    "export AWS_SECRET_ACCESS_KEY='{v}'",
    '{{"SecretAccessKey": "{v}"}}',
    "aws secret access key: {v}",
)
_TWILIO = _labelled(
    "TWILIO_AUTH_TOKEN={v}",
    "twilio auth token: {v}",
    'authToken: "{v}"',
    "auth_token = '{v}'",
    '{{"auth_token": "{v}"}}',
    "export AUTH_TOKEN={v}",
)
_AZURE = _labelled(
    "DefaultEndpointsProtocol=https;AccountName=harbor;AccountKey={v};EndpointSuffix=core.windows.net",
    "AccountKey={v}",
    "AZURE_STORAGE_KEY={v}",
    'account_key = "{v}"',
    "storage account key: {v}",
    '{{"accountKey": "{v}"}}',
)
_GENERIC = _labelled(
    "api_key: {v}",
    "HARBOR_API_KEY={v}",
    'apiKey: "{v}",',
    "client_secret = {v}",
    "secret_key: '{v}'",
    '{{"access_token": "{v}"}}',
)
_HOOKS = _labelled(
    "https://hooks.slack.com/services/{v}",
    "SLACK_WEBHOOK=https://hooks.slack.com/services/{v}",
    "alerts go to https://hooks.slack.com/services/{v} now",
    'webhook: "https://hooks.slack.com/services/{v}"',
    "curl -X POST https://hooks.slack.com/services/{v} -d @x.json",
    '{{"url": "https://hooks.slack.com/services/{v}"}}',
)
_FILES = _labelled(
    "{v}",
    "The deploy key:\n{v}\n",
    "cat > id_rsa <<END\n{v}\nEND",
    "key: |\n{v}",
    "Dana pasted this:\n\n{v}\n\nand left.",
    "tls.key\n{v}\n# end",
)

KINDS: dict[str, tuple[Make, tuple[str, ...]]] = {
    "aws-key-id": (_of("AK~IA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16), _SIX),
    "aws-secret": (_of("", _64, 40), _AWS),
    "github-classic": (_of("gh~p_", _62, 36), _SIX),
    "github-app": (_of("gh~s_", _62, 36), _SIX),
    "github-fine": (
        lambda rng: f"github{'_pat_'}{_draw(rng, _62, 22)}_{_draw(rng, _62, 59)}",
        _SIX,
    ),
    "gitlab": (_of("gl~pat-", _URL, 20), _SIX),
    "slack-bot": (_slack, _SIX),
    "slack-webhook": (_slack_hook, _HOOKS),
    "stripe-live": (_of("sk_~live_", _62, 24), _SIX),
    "google-api": (_of("AI~za", _URL, 35), _SIX),
    "openai-project": (_of("sk-~proj-", _62, 48), _SIX),
    "anthropic": (_of("sk-~ant-api03-", _URL, 93, "AA"), _SIX),
    "npm": (_of("np~m_", _62, 36), _SIX),
    "pypi": (_of("py~pi-AgEIcHlwaS5vcmc", _URL, 150), _SIX),
    "sendgrid": (lambda rng: f"S{'G.'}{_draw(rng, _URL, 22)}.{_draw(rng, _URL, 43)}", _SIX),
    "twilio": (_of("", _HEX, 32), _TWILIO),
    "jwt": (_jwt, _SIX),
    "private-key": (_pem, _FILES),
    "url-password": (_word, _URLS),
    "password-label": (_word, _PASSWORDS),
    "password-spoken": (_word, _SPOKEN),
    "telegram": (_telegram, _SIX),
    "discord": (_discord, _SIX),
    "azure-storage": (_of("", _64, 86, "=="), _AZURE),
    "huggingface": (_of("h~f_", _62, 34), _SIX),
    "digitalocean": (_of("dop_~v1_", _HEX, 64), _SIX),
    "mailgun": (_of("key~-", _HEX, 32), _SIX),
    "vault": (_of("hv~s.", _URL, 90), _SIX),
    "docker": (_of("dckr_~pat_", _URL, 27), _SIX),
    "bearer": (_of("", _URL, 43), _BEARER),
    "generic": (_of("", _62, 32), _GENERIC),
    "shopify": (_of("shp~at_", _HEX, 32), _SIX),
}


def templates() -> Iterator[tuple[str, str, str, str]]:
    """(id, kind, text, the value in it) of every secret."""
    for kind, (make, contexts) in KINDS.items():
        for number, context in enumerate(contexts):
            id = f"secret:{kind}:{number}"
            value = make(random.Random(id))
            yield id, kind, context.format(v=value), value
