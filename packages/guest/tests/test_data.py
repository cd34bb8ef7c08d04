"""The bundled table is what its script makes."""

import collections
import csv
import importlib.util
import pathlib
import unittest

_DATA = pathlib.Path(__file__).resolve().parents[3] / "data"


class Transactions(unittest.TestCase):
    def setUp(self) -> None:
        self.content = (_DATA / "transactions.csv").read_bytes()
        self.rows = list(csv.DictReader(self.content.decode("ascii").splitlines()))

    def test_the_file_is_what_the_script_makes(self) -> None:
        spec = importlib.util.spec_from_file_location("generate_transactions", _DATA / "generate.py")
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        self.assertTrue(self.content == script.make_csv().encode("ascii"), "run python3 data/generate.py")

    def test_it_is_two_years_in_order(self) -> None:
        dates = [row["date"] for row in self.rows]
        self.assertGreaterEqual(len(self.rows), 5000)
        self.assertEqual(list(self.rows[0]), ["date", "merchant", "category", "amount", "account", "city"])
        self.assertEqual((dates[0], dates[-1]), ("2024-01-01", "2025-12-31"))
        self.assertEqual(dates, sorted(dates))
        self.assertEqual(len({date[:7] for date in dates}), 24)

    def test_amounts_are_spending_with_a_few_refunds(self) -> None:
        amounts = [row["amount"] for row in self.rows]
        for amount in amounts:
            self.assertRegex(amount, r"^-?\d+\.\d\d$")
        refunds = sum(float(amount) < 0 for amount in amounts)
        self.assertTrue(0 < refunds < len(amounts) * 0.03, refunds)
        self.assertNotIn(0.0, map(float, amounts))

    def test_every_merchant_has_one_category(self) -> None:
        categories = collections.defaultdict(set)
        for row in self.rows:
            categories[row["merchant"]].add(row["category"])
        self.assertEqual({len(found) for found in categories.values()}, {1})

    def test_seasons_and_growth_can_be_seen(self) -> None:
        spent: dict[object, float] = collections.defaultdict(float)
        for row in self.rows:
            for key in (row["date"][:4], (row["category"], row["date"][5:7])):
                spent[key] += float(row["amount"])
        self.assertTrue(1.01 < spent["2025"] / spent["2024"] < 1.15)
        months = [f"{month:02}" for month in range(1, 13)]
        self.assertEqual(max(months, key=lambda month: spent["Shopping", month]), "12")
        self.assertIn(max(months, key=lambda month: spent["Travel", month]), ("06", "07", "08"))


if __name__ == "__main__":
    unittest.main()
