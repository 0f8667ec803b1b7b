"""Units of measure: their names in three languages, and what of them is equal."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

_TABLE = """
time 1/1000000000 ns nanosecond nanoseconds 纳秒
time 1/1000000 µs us μs microsecond microseconds 微秒
time 1/1000 ms msec millisecond milliseconds 毫秒 mili_giây
time 1 s sec secs second seconds giây 秒 秒钟
time 60 min mins minute minutes phút 分钟
time 3600 h hr hrs hour hours giờ tiếng 小时 钟头
time 86400 d day days ngày 天
time 604800 week weeks wk wks tuần 周 星期 礼拜
time 1209600 fortnight fortnights
month 1 month months mo tháng 个月
month 3 quarter quarters quý 季度
month 12 year years yr yrs năm 年
data 1 byte bytes 字节
data 1000 kb kilobyte kilobytes 千字节
data 1000000 mb megabyte megabytes 兆字节 兆
data 1000000000 gb gigabyte gigabytes 千兆字节
data 1000000000000 tb terabyte terabytes
data 1024 kib kibibyte kibibytes
data 1048576 mib mebibyte mebibytes
data 1073741824 gib gibibyte gibibytes
data 1099511627776 tib tebibyte tebibytes
bit 1 bit bits 比特
bit 1000 kbit kbps
bit 1000000 mbit mbps
bit 1000000000 gbit gbps
length 1/1000 mm millimetre millimetres millimeter millimeters 毫米
length 1/100 cm centimetre centimetres centimeter centimeters 厘米
length 1 metre metres meter meters mét 米
length 1000 km kilometre kilometres kilometer kilometers 公里 千米
length 2.54/100 inch inches
foot 1 ft foot feet
mile 1 mile miles dặm 英里
m 1 m
weight 1/1000 gram grams 克
weight 1 kg kilo kilos kilogram kilograms 公斤 千克
percent 1 % percent pct phần_trăm 百分之
usd 1 $ usd dollar dollars us_dollar us_dollars đô_la đô 美元
eur 1 € eur euro euros 欧元
gbp 1 £ gbp pound pounds 英镑
jpy 1 ¥ jpy yen 日元
cny 1 cny rmb yuan 元 人民币
vnd 1 vnd đồng
cent 1 cent cents
pixel 1 px pixel pixels 像素
rem 1 rem
em 1 em
pt 1 pt point_size
hertz 1 hz hertz
hertz 1000 khz
hertz 1000000 mhz
hertz 1000000000 ghz
watt 1 w watt watts
watt 1000 kw kilowatt kilowatts
energy 1 kwh
volt 1 v volt volts
celsius 1 °c celsius
fahrenheit 1 °f fahrenheit
"""
_WITHOUT_FIGURE = frozenset(
    "seconds minutes milliseconds microseconds nanoseconds ms ns µs".split()
)
_NEEDS_FIGURE = frozenset("time month m em pt bit volt watt hertz energy".split())
"""Dimensions whose names are other words when no figure stands before them."""


@cache
def _names() -> dict[str, tuple[str, str, Fraction]]:
    found = {}
    for line in _TABLE.strip().splitlines():
        dimension, factor, *names = line.split()
        over, _, under = factor.partition("/")
        worth = Fraction(over) / Fraction(under or "1")
        for name in names:
            found[name] = (names[0], dimension, worth)
    return found


def unit_of(name: str, *, after_figure: bool) -> tuple[str, str, Fraction] | None:
    """(short form, dimension, worth in the dimension's first unit) of a unit in small letters.

    Words of a phrase are joined by `_`. Without a figure before it, `second` and `m` are none.
    """
    found = _names().get(name)
    if found is None or after_figure or name in _WITHOUT_FIGURE:
        return found
    if found[1] in _NEEDS_FIGURE or len(name) == 1 or name == "foot":
        return None
    return found


@cache
def longest_unit() -> int:
    """Words in the longest name of a unit."""
    return 1 + max(name.count("_") for name in _names())
