import datetime
import decimal
import json
import time
import unittest

from atoll_guest.kernel.cells import to_cell
from atoll_guest.kernel.tables import to_table

try:
    import numpy as np
    import pandas as pd
except ImportError:
    np = pd = None

try:
    import pyarrow as pa
except ImportError:
    pa = None


class Unprintable:
    def __str__(self) -> str:
        raise SystemExit(1)

    __repr__ = __str__


def cells(values: object, **options: object) -> list[object]:
    """What a column of these values becomes; it must be strict JSON."""
    table = to_table(pd.Series(values, **options).to_frame("x"))
    return [row[0] for row in json.loads(json.dumps(table, allow_nan=False))["rows"]]


@unittest.skipIf(pd is None, "pandas is not installed")
class Tables(unittest.TestCase):
    def test_a_frame_is_columns_rows_and_totals(self) -> None:
        table = to_table(pd.DataFrame({"n": [1, 2], "f": [0.5, 1.5]}))
        columns = [{"name": "n", "dtype": "int64"}, {"name": "f", "dtype": "float64"}]
        self.assertEqual(
            table, {"columns": columns, "rows": [[1, 0.5], [2, 1.5]], "totalRows": 2, "totalColumns": 2}
        )
        self.assertIs(type(table["rows"][0][0]), int)

    def test_a_series_is_a_table_of_one_column(self) -> None:
        table = to_table(pd.Series([1, 2], name="n", index=["a", "b"]))
        self.assertEqual(table["columns"], [{"name": "n", "dtype": "int64"}])
        self.assertEqual(
            (table["rows"], table["index"], table["indexNames"]), ([[1], [2]], ["a", "b"], [None])
        )
        self.assertEqual(to_table(pd.Series([1]))["columns"][0]["name"], "value")

    def test_anything_else_is_no_table(self) -> None:
        for value in (None, 3, [1], np.zeros(3), pd.Index([1]), pd.DataFrame, Unprintable()):
            self.assertIsNone(to_table(value))

    def test_numbers(self) -> None:
        self.assertEqual(
            cells([1.5, float("nan"), float("inf"), -float("inf")]), [1.5, None, "Infinity", "-Infinity"]
        )
        self.assertEqual(cells([0.1, None], dtype="float32"), [0.1, None])
        self.assertEqual(cells([2**53 - 1, 2**53, -(2**60)]), [2**53 - 1, str(2**53), str(-(2**60))])
        self.assertEqual(cells([1, None, 3], dtype="Int64"), [1, None, 3])
        self.assertEqual(cells([True, None], dtype="boolean"), [True, None])
        self.assertEqual(cells([1j]), ["1j"])
        self.assertEqual(cells([10**5000], dtype=object), ["<cannot be shown>"])
        self.assertEqual(cells([0, 0, 1], dtype="Sparse[int]"), [0, 0, 1])
        numpy_scalars = [
            np.int8(3),
            np.float64("nan"),
            np.longdouble(1.5),
            np.bool_(True),
            np.uint64(2**64 - 1),
        ]
        self.assertEqual(cells(numpy_scalars, dtype=object), [3, None, 1.5, True, str(2**64 - 1)])

    def test_dates_and_times(self) -> None:
        self.assertEqual(cells(pd.to_datetime(["2024-01-02 03:04:05", None])), ["2024-01-02T03:04:05", None])
        self.assertEqual(
            cells(pd.to_datetime(["2024-01-02"]).tz_localize("UTC")), ["2024-01-02T00:00:00+00:00"]
        )
        self.assertEqual(cells(pd.to_timedelta([90, None], unit="min")), ["0 days 01:30:00", None])
        self.assertEqual(cells(pd.period_range("2024-01", periods=1, freq="M")), ["2024-01"])
        self.assertEqual(cells([datetime.date(2024, 1, 2), datetime.time(1, 2)]), ["2024-01-02", "01:02:00"])
        self.assertEqual(to_cell(np.datetime64("2024-01-02")), "2024-01-02")
        self.assertIsNone(to_cell(np.datetime64("NaT")))

    def test_texts_and_objects(self) -> None:
        texts = ["ä", "a" * 5000, None, "\ud800"]
        self.assertEqual(cells(texts, dtype=object), ["ä", "a" * 2000 + "…", None, "?"])
        objects = [decimal.Decimal("1.10"), decimal.Decimal("nan"), b"\xff", {"a": [1]}, pd.NA, pd.NaT]
        self.assertEqual(cells(objects, dtype=object), ["1.10", None, "b'\\xff'", "{'a': [1]}", None, None])
        self.assertEqual(cells(pd.Categorical(["x", None])), ["x", None])
        self.assertEqual(cells(pd.interval_range(0, 1)), ["(0, 1]"])
        self.assertEqual(cells([Unprintable(), 1], dtype=object), ["<cannot be shown>", 1])

    def test_a_long_container_in_a_cell_is_not_printed_whole(self) -> None:
        started = time.process_time()
        shown = cells([list(range(3_000_000)), {n: n for n in range(300_000)}], dtype=object)
        self.assertTrue(all(len(text) <= 2001 for text in shown))
        self.assertLess(time.process_time() - started, 1)

    def test_names_of_columns(self) -> None:
        def names(frame: object) -> list[str]:
            return [column["name"] for column in to_table(frame)["columns"]]

        self.assertEqual(names(pd.DataFrame([[1, 2, 3]], columns=["a", "a", 5])), ["a", "a", "5"])
        levels = pd.MultiIndex.from_tuples([("x", 1), ("y", "")])
        self.assertEqual(names(pd.DataFrame([[1, 2]], columns=levels)), ["x / 1", "y"])
        self.assertEqual(to_table(pd.DataFrame([[1, 2]], columns=["a", "a"]))["rows"], [[1, 2]])
        self.assertEqual(names(pd.DataFrame([[1]], columns=pd.Index([Unprintable()]))), ["<cannot be shown>"])

    def test_labels_of_rows(self) -> None:
        self.assertNotIn("index", to_table(pd.DataFrame({"a": [1]})))
        part = to_table(pd.DataFrame({"a": range(9)}).iloc[4:6])
        self.assertEqual((part["index"], part["indexNames"]), ([4, 5], [None]))
        multi = pd.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["letter", None])
        table = to_table(pd.DataFrame({"a": [1, 2]}, index=multi))
        self.assertEqual((table["index"], table["indexNames"]), ([["x", 1], ["y", 2]], ["letter", None]))
        dated = to_table(pd.DataFrame({"a": [1]}, index=pd.to_datetime(["2024-01-02"]).rename("day")))
        self.assertEqual((dated["index"], dated["indexNames"]), (["2024-01-02T00:00:00"], ["day"]))

    def test_empty_frames(self) -> None:
        empty = {"columns": [], "rows": [], "totalRows": 0, "totalColumns": 0}
        self.assertEqual(to_table(pd.DataFrame()), empty)
        self.assertEqual(to_table(pd.DataFrame(columns=["a"]))["totalColumns"], 1)
        self.assertEqual(to_table(pd.DataFrame(index=[7, 8]))["rows"], [[], []])

    def test_only_the_head_of_a_large_frame_is_touched(self) -> None:
        frame = pd.DataFrame({"a": np.zeros(10_000_000)}, index=np.zeros(10_000_000))
        to_table(frame.head())
        started = time.process_time()
        table = to_table(frame)
        self.assertLess(time.process_time() - started, 0.1)
        self.assertEqual(
            (len(table["rows"]), len(table["index"]), table["totalRows"]), (200, 200, 10_000_000)
        )
        wide = to_table(pd.DataFrame(np.zeros((3, 1000))), max_rows=2, max_columns=7)
        self.assertEqual((len(wide["columns"]), len(wide["rows"]), wide["totalColumns"]), (7, 2, 1000))

    def test_a_table_of_long_texts_has_fewer_rows(self) -> None:
        table = to_table(pd.DataFrame({name: ["x" * 2000] * 200 for name in "abcdefgh"}))
        self.assertLess(len(json.dumps(table)), 1_200_000)
        self.assertGreater(len(table["rows"]), 10)

    def test_a_frame_that_breaks_is_no_table(self) -> None:
        class Broken(pd.DataFrame):
            @property
            def iloc(self) -> object:
                raise SystemExit(1)

        self.assertIsNone(to_table(Broken({"a": [1]})))

    def test_an_interrupt_gets_through(self) -> None:
        class Slow:
            def __str__(self) -> str:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            to_table(pd.DataFrame({"a": [Slow()]}))

    @unittest.skipIf(pa is None, "pyarrow is not installed")
    def test_arrow_columns(self) -> None:
        def arrow(values: list[object], kind: object) -> list[object]:
            return cells(pd.array(values, dtype=pd.ArrowDtype(kind)))

        self.assertEqual(arrow(["a", None], pa.string()), ["a", None])
        self.assertEqual(arrow([[1], None], pa.list_(pa.int64())), ["[1]", None])
        self.assertEqual(arrow([decimal.Decimal("1.5"), None], pa.decimal128(5, 2)), ["1.50", None])
        self.assertEqual(
            arrow([datetime.datetime(2024, 1, 2), None], pa.timestamp("us")), ["2024-01-02T00:00:00", None]
        )


if __name__ == "__main__":
    unittest.main()
