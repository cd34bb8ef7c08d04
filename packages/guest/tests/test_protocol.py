"""Frames that no honest process sends, and numbers that JSON has no word for."""

from __future__ import annotations

import json
import unittest

from atoll_guest.protocol import FrameReader, ProtocolError, encode, parse_header


class Frames(unittest.TestCase):
    def test_a_number_that_json_has_no_word_for_is_not_sent(self) -> None:
        for number in (float("nan"), float("inf"), float("-inf")):
            with self.assertRaises(ValueError):
                encode({"exitCode": number})

    def test_a_number_that_json_has_no_word_for_is_not_taken(self) -> None:
        for number in ("NaN", "Infinity", "-Infinity"):
            with self.assertRaises(ProtocolError):
                parse_header(b'{"count":%s}' % number.encode())

    def test_a_header_that_is_nested_too_deep_or_has_too_many_parts_is_refused(self) -> None:
        for head in (b'{"count":' + b"[" * 100_000 + b"]" * 100_000 + b"}", json.dumps({"x": [[]] * 400_000}).encode()):
            with self.assertRaises(ProtocolError):
                parse_header(head)

    def test_a_header_that_is_no_object_or_no_json_is_refused(self) -> None:
        for head in (b"[]", b"null", b"7", b'{"op"', b'{"op":"\xff"}', b""):
            with self.assertRaises(ProtocolError):
                parse_header(head)

    def test_a_frame_that_says_it_is_too_large_is_refused_before_it_comes(self) -> None:
        reader = FrameReader(max_header_bytes=100, max_body_bytes=100)
        reader.feed(b"\x00\x00\x00\x02\xff\xff\xff\xff")
        with self.assertRaises(ProtocolError):
            reader.next()


if __name__ == "__main__":
    unittest.main()
