"""What a text is read as: amounts, dates, versions, operators."""

from __future__ import annotations

import pytest

from store.review.items import Kind
from store.review.reading import read


def _keys(text: str, *kinds: Kind) -> list[str]:
    return [item.key for item in read(text).items if not kinds or item.kind in kinds]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("it takes 1,500 ms", "n:1.5time"),
        ("it takes 1.5 seconds", "n:1.5time"),
        ("after twenty-five minutes", "n:1500time"),
        ("two hundred rows", "n:200"),
        ("$49 or less", "n:49usd"),
        ("49 US dollars", "n:49usd"),
        ("above 85 %", "n:85percent"),
        ("the offset is -3", "n:-3"),
        ("16k rows", "n:16000"),
        ("2 GiB", "n:2147483648data"),
        ("2.4 million rows", "n:2400000"),
        ("mỗi ba tháng", "n:3month"),
        ("mười lăm phút", "n:900time"),
        ("hai mươi tệp", "n:20"),
        ("三十秒", "n:30time"),
        ("十五个", "n:15"),
    ],
)
def test_amounts(text: str, key: str) -> None:
    assert _keys(text, Kind.NUMBER) == [key]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("on 2025-03-14", ["day:03-14", "year:2025"]),
        ("on March 14, 2025", ["day:03-14", "year:2025"]),
        ("on the 14th of March", ["nth:14", "month:3"]),
        ("on 3 May 2024", ["day:05-03", "year:2024"]),
        ("in May", ["month:5"]),
        ("Dana may go", []),
        ("at 9:30 am", ["time:09:30"]),
        ("at 3 pm", ["time:15:00"]),
        ("meets at 10", ["time:10:00"]),
        ("on Tuesdays", ["weekday:2"]),
        ("in Q3", ["quarter:q3"]),
        ("every day", ["every:day"]),
        ("daily", ["every:day"]),
        ("thứ Ba hằng tuần này", ["weekday:2"]),
        ("9 giờ sáng Chủ nhật", ["time:09:00", "weekday:7"]),
        ("tháng 6 năm 2025", ["month:6", "year:2025"]),
        ("4月15日", ["day:04-15"]),
        ("上午十点", ["when:早上", "time:10:00"]),
        ("星期五", ["weekday:5"]),
    ],
)
def test_dates(text: str, keys: list[str]) -> None:
    assert _keys(text, Kind.DATE) == keys


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("release v4.2.0", "n:4.2.0"),
        ("Python 3.10", "n:3.10"),
        ("5.0.0-rc1", "n:5.0.0-rc1"),
        ("commit 9f3c2ab", "9f3c2ab"),
        ("Node 18", "n:18"),
    ],
)
def test_versions(text: str, key: str) -> None:
    assert _keys(text, Kind.VERSION) == [key]


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("the #0055FF one", Kind.COLOUR, "0055ff"),
        ("a navy blue one", Kind.COLOUR, "navi_blue"),
        ("see #812", Kind.IDENTIFIER, "#812"),
        ("in US dollars", Kind.UNIT, "u:$"),
        ("fewer than 20", Kind.QUANTITY, "fewer"),
        ("over 400", Kind.QUANTITY, "more"),
        ("x < 400", Kind.QUANTITY, "fewer"),
        ("pnpm, not npm", Kind.MARK, "instead"),
        ("it defaults to on", Kind.WORD, "on"),
        ("tất cả endpoint đều", Kind.QUANTITY, "all"),
        ("chưa duyệt ngân sách", Kind.NEGATION, "not"),
        ("无需认证", Kind.NEGATION, "not"),
    ],
)
def test_what_else_is_seen(text: str, kind: Kind, key: str) -> None:
    assert key in _keys(text, kind)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Minh from Đà Nẵng likes tea", "en"),
        ("Vui lòng không push lên main", "vi"),
        ("Worker gọi scheduler", "vi"),
        ("订单服务使用 Redis 做缓存", "zh"),
        ("the sign 泊 is on the door of the office", "en"),
        ("über die Straße", "en"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert read(text).language == language


def test_tones_may_stand_on_either_vowel_but_count() -> None:
    assert _keys("xoá khoá") == _keys("xóa khóa")
    assert _keys("bán gạo") != _keys("bàn gạo")


def test_hostile_numbers_are_words() -> None:
    for text in ("9" * 5000, "一" * 5000, "1" + ",111" * 1900, "million " * 900):
        assert len(read(text).items) >= 1
