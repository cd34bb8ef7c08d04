import json
import unittest

from atoll_guest.kernel.shown_tables import ShownTables, shown_tables
from atoll_guest.kernel.table_pages import NoSuchTable, read_csv, read_page
from atoll_guest.kernel.table_rows import NoSuchColumn, Query, choose_rows

try:
    import numpy as np
    import pandas as pd
except ImportError:
    np = pd = None


def sales() -> "pd.DataFrame":
    return pd.DataFrame(
        {
            "city": ["Oslo", "Bergen", None, "oslo west"],
            "sales": [3.5, None, 10.0, 1.0],
            "day": pd.to_datetime(["2026-01-03", "2026-01-01", None, "2026-02-01"]),
            "mixed": [2, "b", None, 1.5],
        }
    )


def rows(frame: object, **query: str) -> list[int]:
    positions = choose_rows(frame, Query(**query))
    return list(range(len(frame))) if positions is None else positions.tolist()


def page(name: object, **query: object) -> dict:
    return json.loads(read_page({"table": name, "offset": 0, "limit": 10, **query}))


@unittest.skipIf(pd is None, "pandas is not installed")
class Rows(unittest.TestCase):
    def test_are_sorted_with_what_is_missing_last_and_the_frame_left_as_it_is(self) -> None:
        frame = sales()
        self.assertEqual(rows(frame, sort="sales"), [3, 0, 2, 1])
        self.assertEqual(rows(frame, sort="-sales"), [2, 0, 3, 1])
        self.assertEqual(rows(frame, sort="-day"), [3, 0, 1, 2])
        self.assertEqual(rows(frame, sort="mixed"), [3, 0, 1, 2])
        pd.testing.assert_frame_equal(frame, sales())

    def test_of_equal_values_keep_their_order(self) -> None:
        frame = pd.DataFrame({"k": [1, 0, 1, 0]})
        self.assertEqual(rows(frame, sort="k"), [1, 3, 0, 2])
        self.assertEqual(rows(frame, sort="-k"), [0, 2, 1, 3])

    def test_are_sorted_by_one_of_several_columns_with_the_same_name(self) -> None:
        frame = pd.DataFrame([[1, 2, 0], [2, 1, 1]], columns=["a", "a", "#0"])
        self.assertEqual(rows(frame, sort="a"), [0, 1])
        self.assertEqual(rows(frame, sort="#1"), [1, 0])
        self.assertEqual(rows(frame, sort="-#1"), [0, 1])
        self.assertEqual(rows(frame, sort="-#0"), [1, 0])  # A name comes before a place.
        for sort in ("#3", "#", "#-1", "#x"):
            self.assertRaises(NoSuchColumn, choose_rows, frame, Query(sort=sort))

    def test_are_found_by_words_in_any_column_whatever_their_case(self) -> None:
        frame = sales()
        self.assertEqual(rows(frame, filter="OSLO"), [0, 3])
        self.assertEqual(rows(frame, filter="oslo 3.5"), [0])
        self.assertEqual(rows(frame, filter="2026-01"), [0, 1])
        self.assertEqual(rows(frame, filter="nan"), [])
        self.assertEqual(rows(frame, filter="[("), [])
        self.assertEqual(rows(frame, filter="b", column="city"), [1])
        self.assertEqual(rows(frame, filter="  "), [0, 1, 2, 3])

    def test_are_found_by_comparison_in_a_column(self) -> None:
        frame = sales()
        self.assertEqual(rows(frame, filter="> 1", column="sales"), [0, 2])
        self.assertEqual(rows(frame, filter="<=3.5", column="sales", sort="-sales"), [0, 3])
        self.assertEqual(rows(frame, filter="!= 1", column="sales"), [0, 1, 2])
        self.assertEqual(rows(frame, filter=">=2026-01-03", column="day"), [0, 3])
        self.assertEqual(rows(frame, filter="= oslo", column="city"), [0])
        # No number: it is a word.
        self.assertEqual(rows(frame, filter="> many", column="sales"), [])

    def test_of_zoned_days_nullable_numbers_and_categories(self) -> None:
        frame = pd.DataFrame(
            {
                "day": pd.to_datetime(["2026-01-03", "2026-01-01"]).tz_localize("Europe/Oslo"),
                "n": pd.array([1, None], dtype="Int64"),
                "c": pd.Categorical(["low", "high"], categories=["low", "high"], ordered=True),
            }
        )
        self.assertEqual(rows(frame, filter="> 2026-01-02", column="day"), [0])
        self.assertEqual(rows(frame, filter="= 1", column="n"), [0])
        self.assertEqual(rows(frame, filter="high"), [1])
        self.assertEqual(rows(frame, sort="-c"), [1, 0])

    def test_with_labels_are_sorted_and_found_by_them(self) -> None:
        frame = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["b", "a"], name="key"))
        self.assertEqual(rows(frame, sort="key"), [1, 0])
        self.assertEqual(rows(frame, filter="b"), [0])

    def test_by_a_column_that_is_not_there_are_refused(self) -> None:
        for query in (Query(sort="-x"), Query(filter="a", column="x"), Query(column="x")):
            with self.assertRaises(NoSuchColumn):
                choose_rows(sales(), query)


@unittest.skipIf(pd is None, "pandas is not installed")
class ShownTable(unittest.TestCase):
    def setUp(self) -> None:
        shown_tables.clear()

    def test_is_there_in_whole_as_it_was_when_it_was_shown(self) -> None:
        frame = pd.DataFrame({"n": np.arange(1000)})
        name = shown_tables.show(frame)["id"]
        frame.loc[:, "n"] = -1
        found = page(name, offset=998, sort="-n", filter="9")
        self.assertEqual((found["totalRows"], found["matchingRows"], found["rows"]), (1000, 271, []))
        self.assertEqual(page(name, sort="-n", limit=2)["rows"], [[999], [998]])
        self.assertEqual(page(name, offset=500, limit=1)["rows"], [[500]])

    def test_of_a_series_and_of_labels(self) -> None:
        name = shown_tables.show(pd.Series([1, 2], index=["a", "b"], name="n"))["id"]
        found = page(name, sort="-n")
        self.assertEqual((found["rows"], found["index"], found["columns"][0]["name"]), ([[2], [1]], ["b", "a"], "n"))

    def test_goes_when_newer_ones_need_the_room(self) -> None:
        names = [shown_tables.show(pd.DataFrame({"n": [n]}))["id"] for n in range(40)]
        with self.assertRaises(NoSuchTable):
            page(names[0])
        self.assertEqual(page(names[-1])["rows"], [[39]])
        tables = ShownTables()
        first = tables.show(pd.DataFrame({"n": np.zeros(1000)}))["id"]
        large = tables.show(pd.DataFrame({"n": np.zeros(20_000_000)}))["id"]
        self.assertIsNone(tables.find(first))
        self.assertIsNotNone(tables.find(large))

    def test_comes_as_csv_part_by_part(self) -> None:
        frame = pd.DataFrame({"a": ["x,y", "ü"], "b": [1, None]})
        name = shown_tables.show(frame)["id"]
        ask = {"table": name, "limit": 1}
        parts = [read_csv({**ask, "offset": offset}) for offset in range(3)]
        self.assertEqual(parts, [(b'a,b\n"x,y",1.0\n', 1), ("ü,\n".encode(), 1), (b"", 0)])
        long = shown_tables.show(pd.DataFrame({"a": ["x" * 1_000_000] * 20}))["id"]
        lines, count = read_csv({"table": long, "offset": 0, "limit": 20})
        self.assertTrue(0 < count < 20 and len(lines) < 9_000_000)


if __name__ == "__main__":
    unittest.main()
