"""What a mask hides, what it leaves, and that it does so once and in linear time."""

from __future__ import annotations

import random
import string
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.gate.masking import MASK, looks_masked, mask, mask_all

RNG = random.Random(7)


def noise(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(RNG.choices(alphabet, k=length))


GITHUB = "ghp_" + noise(36)
HEX = noise(32, "0123456789abcdef")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password: hunter2", f"password: {MASK}"),
        ("password: hunter2secretword", f"password: {MASK}"),
        (f"token {GITHUB} in CI", f"token {MASK} in CI"),
        (f"**API key**: `{HEX}`, rotate it", f"**API key**: `{MASK}`, rotate it"),
        ("**Password:** hunter2", f"**Password:** {MASK}"),
        ("password: **hunter2**", f"password: **{MASK}**"),
        ("| DB password | hunter2 |", f"| DB password | {MASK} |"),
        ("<password>hunter2</password>", f"<password>{MASK}</password>"),
        ('"{\\"password\\": \\"hunter2\\"}"', f'"{{\\"password\\": \\"{MASK}\\"}}"'),
        (f'"log": "first\\n{GITHUB}\\nlast"', f'"log": "first\\n{MASK}\\nlast"'),
        ("Server=db;Pwd=Gr33nLantern;Encrypt=yes", f"Server=db;Pwd={MASK};Encrypt=yes"),
        ("?user=bob&passwd=b0bsPass&x=1", f"?user=bob&passwd={MASK}&x=1"),
        ("password: hunter2, user: dana.", f"password: {MASK}, user: dana."),
        ("İstanbul password: hunter2 İ", f"İstanbul password: {MASK} İ"),
        ("https://dana:s3cret@host/x", f"https://dana:{MASK}@host/x"),
    ],
)
def test_the_label_stays_and_only_the_value_goes(text: str, masked: str) -> None:
    assert mask(text).text == masked
    assert mask(text).count == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "apiKey: import.meta.env.KEY",
        "process.env.X",
        'os.environ["X"]',
        "${SECRET}",
        "password: <your-token>",
        "password: ********",
        "password reset flow",
        "the password policy is strict",
        "token bucket",
        "sk-learn",
        "secret: see vault",
        "passwort ändern",
        f"fixed in {noise(40, '0123456789abcdef')}",
        "Pass `verbosity=1` to get a table",
        "compass: north1",
        "private_key: PKCS7PrivateKeyTypes,",
        '"AWS::IAM::AccessKey": "72c2d9dd90025459"',
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestDatabaseSecret-a1b2c3",
        "git://[path-to-repo[:]][ref@]path/to/file",
    ],
)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    found = mask(text)
    assert found.text == text
    assert found.count == 0
    assert found.kinds == ()


def test_kinds_say_what_was_found_and_neighbours_are_counted() -> None:
    found = mask(f"password: hunter2\n{GITHUB}\nAPI_KEY={HEX}\n{GITHUB}")
    assert found.count == 4
    assert found.kinds == ("GitHub Token", "labelled secret", "password")


def test_one_secret_that_two_rules_see_counts_once() -> None:
    assert mask(f"GITHUB_TOKEN={GITHUB}").count == 1


def test_a_longer_token_than_the_pattern_leaves_no_tail() -> None:
    tail = noise(20)
    assert tail not in mask(f"sk_live_{noise(24)}{tail} is live").text


def test_a_value_longer_than_the_look_ahead_leaves_no_tail() -> None:
    value = noise(2000)
    assert mask(f"export AWS_SESSION_TOKEN={value} next").text == (
        f"export AWS_SESSION_TOKEN={MASK} next"
    )


def armour(label: str, lines: int) -> str:
    return "\n".join([f"-----BEGIN {label}-----", *(noise(64) for _ in range(lines))])


def test_a_private_key_goes_to_its_end_line() -> None:
    block = armour("RSA PRIVATE KEY", 9) + "\n-----END RSA PRIVATE KEY-----"
    assert mask(f"before\n{block}\nafter").text == f"before\n{MASK}\nafter"


def test_a_private_key_cut_short_goes_to_the_end_of_its_armour() -> None:
    found = mask("before\n" + armour("PRIVATE KEY", 3) + "\n\nThen we went home.")
    assert found.text.startswith(f"before\n{MASK}")
    assert found.text.endswith("Then we went home.")
    assert found.count == 1


def test_two_private_keys_are_two() -> None:
    block = armour("PRIVATE KEY", 2) + "\n-----END PRIVATE KEY-----"
    assert mask(f"{block} and {block}").text == f"{MASK} and {MASK}"


def test_talk_about_private_keys_is_no_secret() -> None:
    text = "-----BEGIN PRIVATE KEY----- marks one, -----END PRIVATE KEY----- ends it."
    assert mask(text).text == text


@pytest.mark.parametrize("label", ["PUBLIC KEY", "CERTIFICATE"])
def test_what_is_public_stays(label: str) -> None:
    text = armour(label, 3) + f"\n-----END {label}-----"
    assert mask(text).text == text


def test_masks_are_counted() -> None:
    assert looks_masked("nothing • here") == 0
    assert looks_masked(mask(f"password: hunter2, token {GITHUB}").text) == 2
    assert looks_masked(MASK * 2) == 1


def test_all_strings_are_masked_alone() -> None:
    texts, count = mask_all(["password: hunter2", "plain", GITHUB])
    assert texts == (f"password: {MASK}", "plain", MASK)
    assert count == 2


PIECES = [
    *("password", "passwd", "pass", "pwd", "token", "secret", "api_key", "Bearer", "key"),
    *(
        ": ",
        "=",
        " is ",
        " ",
        "\n",
        "\\n",
        '"',
        "'",
        "`",
        "*",
        "|",
        "> ",
        "://u:",
        "@h",
        "&a=",
        ";",
    ),
    *("hunter2", "P@ss!", GITHUB, "ghp_", HEX, "AKIA" + noise(16, string.ascii_uppercase)),
    *("sk-ant-api03-" + noise(60), "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + noise(43)),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", noise(64), "•", MASK, "İ", "x"),
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_masking_twice_changes_nothing(text: str) -> None:
    once = mask(text)
    assert mask(once.text).text == once.text
    assert mask(once.text).count == 0


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_at_all_is_answered(text: str) -> None:
    found = mask(text)
    assert (found.count == 0) == (found.text == text)


HOSTILE = [
    *("a", " ", "•", ".", "M", "aA1", "password", "password: ", "password=", "token=", "key=\\"),
    *(
        "api_key = ",
        "password='",
        'password="',
        "secret (aaaaaaaaaaaaaaaaaaaaaaaaa",
        "token |     ",
    ),
    *("password for ", "login a password ", "docker login ", "bearer ", "-u a", "eyJ", "eyJhbGci."),
    *(
        "sk-",
        "sk-ant-api03-",
        "AKIA",
        "ghp_",
        "glpat-",
        "glagent-aaaaaaaaa",
        "xoxb-1-",
        "AccountKey=",
    ),
    *("ibm_iam_api_key = ", "cloudant_", "softlayer_key=", "0123456789abcdef-us", "://", "://a:"),
    *("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n"),
    *("PuTTY-User-Key-File-2: ", "hooks.slack.com/services/", "12345678:", MASK, GITHUB + " "),
]


def cost(unit: str, length: int) -> float:
    """The least of three runs, in seconds of this process's own time."""
    text = (unit * (length // len(unit) + 1))[:length]
    mask(text[:1024])
    runs = []
    for _ in range(3):
        start = time.process_time()
        mask(text)
        runs.append(time.process_time() - start)
    return min(runs)


@pytest.mark.parametrize("unit", HOSTILE, ids=lambda unit: repr(unit[:24]))
def test_time_grows_with_the_length_only(unit: str) -> None:
    """Four times the text: four times the work, not sixteen. A millisecond is added to both
    sides, since what costs less than that cannot be told from the clock's own noise."""
    assert cost(unit, 65_536) + 1e-3 < 8 * (cost(unit, 16_384) + 1e-3)


def test_an_ordinary_note_does_not_load_detect_secrets() -> None:
    code = (
        "import sys\nfrom store.gate.masking import mask\n"
        "mask('Dana keeps the key of /usr/share/doc/harbor-20240501.md; password: hunter2')\n"
        "print('detect_secrets' in sys.modules)\n"
        f"mask({GITHUB!r})\nprint('detect_secrets' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=4))
def test_asking_for_all_at_once_misses_nothing(texts: list[str]) -> None:
    found = [mask(text) for text in texts]
    assert mask_all(texts) == (tuple(m.text for m in found), sum(m.count for m in found))
