"""Which of the encodings that are not UTF-8 makes the most sense of some bytes."""

from __future__ import annotations

import re

_SAMPLE_BYTES = 256 * 1024


def most_likely_encoding(data: bytes) -> str:
    """`utf-8` when all but a few bytes of it are sound."""
    sample = _lines_with_high_bytes(data)
    scores = {name: score(sample) for name, score in _CANDIDATES.items()}
    return max(scores, key=lambda name: scores[name])


def _lines_with_high_bytes(data: bytes) -> bytes:
    """What tells encodings apart, in whole lines: the sample's edges may cut a character."""
    lines = data.splitlines(keepends=True)
    high = [line for line in lines[:-1] if not line.isascii()]
    return b"".join(high)[:_SAMPLE_BYTES] or b"".join(line for line in lines if not line.isascii())


def _decoded(data: bytes, name: str) -> str | None:
    """None when more than a stray byte is wrong."""
    text = data.decode(name, "replace")
    wrong = text.count("\ufffd")
    return text if wrong <= max(1, len(_high(text)) // 50) else None


def _high(text: str) -> str:
    return re.sub(r"[\x00-\x7f]+", "", text)


def _score_utf8(data: bytes) -> float:
    """Bytes of another encoding hardly ever form its sequences: a few good ones outweigh any other sign."""
    high = _high(data.decode("utf-8", "replace"))
    wrong = high.count("\ufffd")
    sound = len(high) - wrong
    return 2.0 if sound >= 3 and wrong <= sound / 4 else 0.0


def _score_gb18030(data: bytes) -> float:
    """The share of characters that GB 2312 counts among the frequent ones, or as punctuation."""
    if (text := _decoded(data, "gb18030")) is None:
        return 0
    high = _high(text)
    frequent = re.findall(
        rb"[\xb0-\xd7][\xa1-\xfe]|\xa3[\xa1-\xfe]|\xa1[\xa1-\xbf]|[\xd8-\xf7][\xa1-\xfe]",
        high.encode("gb2312", "ignore"),
    )
    rare = sum(1 for pair in frequent if pair[0] >= 0xD8)
    return (len(frequent) - 0.6 * rare) / max(1, len(high))


def _score_big5(data: bytes) -> float:
    if (text := _decoded(data, "big5")) is None:
        return 0
    high = _high(text)
    encoded = high.encode("big5", "ignore")
    leads = encoded[0::2]
    frequent = sum(1 for lead in leads if 0xA4 <= lead <= 0xC6 or lead == 0xA1)
    # GB's frequent characters also read as these, but then their second byte is never a low one.
    low = sum(1 for second in encoded[1::2] if second < 0x80)
    penalty = 0.3 if len(leads) >= 4 and low == 0 else 0
    return frequent / max(1, len(high)) - penalty


def _score_shift_jis(data: bytes) -> float:
    if (text := _decoded(data, "cp932")) is None:
        return 0
    high = _high(text)
    encoded_kanji = re.findall(
        rb"[\x88-\x97][\x40-\xfc]", re.sub(r"[\uff61-\uff9f\u3040-\u30ff]", "", high).encode("cp932", "ignore")
    )
    kana = len(re.findall(r"[\u3040-\u30ff\u3000-\u3002\uff01-\uff5e]", high))
    half_width = len(re.findall(r"[\uff61-\uff9f]", high))
    return (kana + 0.9 * len(encoded_kanji) - 0.3 * half_width) / max(1, len(high))


def _score_cp1252(data: bytes) -> float:
    """Accented letters stand alone between plain ones; two-byte characters never do."""
    high = len(re.findall(rb"[\x80-\xff]", data))
    alone = len(re.findall(rb"(?<![\x80-\xff])[\xc0-\xff\x8a\x8c\x8e\x9a\x9c\x9e\x9f](?![\x80-\xff])", data))
    signs = len(
        re.findall(
            rb"(?<![\x80-\xff])[\x80\x85\x91-\x97\x99\xa0\xa3\xa5\xa7\xa9\xab\xae\xb0\xb2\xb5\xb7\xba\xbb\xbd\xbf](?![\x80-\xff])",
            data,
        )
    )
    pairs = len(re.findall(rb"(?<=[A-Za-z])[\xdf-\xff]{2}(?=[a-z])", data))
    return (alone + 0.9 * signs + pairs) / max(1, high)


def _score_cp1251(data: bytes) -> float:
    words = re.findall(rb"(?<![\xa8\xb8\xc0-\xff])[\xa8\xb8\xc0-\xff]?[\xb8\xe0-\xff]{2,}", data)
    return 0.95 * sum(map(len, words)) / max(1, len(re.findall(rb"[\x80-\xff]", data)))


def _score_latin1(data: bytes) -> float:
    return 0.05


_CANDIDATES = {
    "utf-8": _score_utf8,
    "gb18030": _score_gb18030,
    "big5": _score_big5,
    "cp932": _score_shift_jis,
    "cp1252": _score_cp1252,
    "cp1251": _score_cp1251,
    "latin-1": _score_latin1,
}
