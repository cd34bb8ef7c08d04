"""Makes transactions.csv: two years of invented spending. Run again it makes the same file, byte for byte.

It uses only integers and a random generator of its own: no Python version or machine can round differently.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FIRST_DAY = datetime.date(2024, 1, 1)
LAST_DAY = datetime.date(2025, 12, 31)
SEED = 99


def make_csv() -> str:
    chance = Chance(SEED)
    rows = [row for day in _days() for row in (*_monthly(day, chance), *_daily(day, chance))]
    rows.sort(key=lambda row: row.date)
    header = ("date", "merchant", "category", "amount", "account", "city")
    return "".join(",".join(line) + "\n" for line in [header, *map(_fields, rows)])


class Row(NamedTuple):
    date: datetime.date
    merchant: str
    category: str
    cents: int
    account: str
    city: str


class Merchant(NamedTuple):
    name: str
    low_cents: int
    high_cents: int


class Habit(NamedTuple):
    """`per_thousand_days`: purchases in an average season. `months`: percent of that, January first."""

    category: str
    per_thousand_days: int
    weekend_percent: int
    months: tuple[int, ...]
    accounts: tuple[str, ...]
    merchants: tuple[Merchant, ...]
    refund_percent: int = 0


class Bill(NamedTuple):
    category: str
    merchant: str
    day: int
    cents: int
    varies_percent: int
    account: str
    city: str


EVEN = (100,) * 12
CITIES = (
    ("Chicago", 34), ("New York", 14), ("Boston", 10), ("Denver", 9), ("Austin", 8),
    ("Seattle", 8), ("San Francisco", 7), ("Miami", 5), ("Portland", 3), ("New Orleans", 2),
)  # fmt: skip

HABITS = (
    Habit("Groceries", 1580, 135, (98, 96, 98, 99, 100, 99, 97, 97, 100, 101, 108, 112),
        ("Joint", "Visa", "Checking"), (
        Merchant("Green Basket", 1200, 16500), Merchant("Corner Market", 350, 4800),
        Merchant("Harvest Foods", 1500, 21000),
        Merchant("Daily Bread Bakery", 280, 2600), Merchant("Bulk Barn", 3800, 32000),
    )),
    Habit("Dining", 1690, 150, (88, 95, 98, 100, 104, 106, 108, 107, 101, 99, 97, 112), ("Visa", "Amex"), (
        Merchant("Blue Door Cafe", 380, 1900), Merchant("Noodle House", 1100, 5200),
        Merchant("Trattoria Lucia", 2800, 16500),
        Merchant("Taco Stand", 750, 3100), Merchant("Sushi Kai", 2400, 13500),
        Merchant("Burger Works", 950, 4400),
    )),
    Habit("Transport", 1200, 70, EVEN, ("Visa", "Checking"), (
        Merchant("Metro Transit", 250, 1000), Merchant("CityRide", 780, 5400),
        Merchant("Fuel Stop", 2400, 8900),
        Merchant("ParkEasy", 400, 3600),
    )),
    Habit("Shopping", 880, 130, (78, 80, 88, 92, 96, 97, 104, 98, 94, 100, 142, 205), ("Visa", "Amex"), (
        Merchant("Northside Clothing", 1900, 24000), Merchant("Pixel Electronics", 2500, 125000),
        Merchant("Page & Spine Books", 800, 7800), Merchant("Home & Hearth", 1500, 46000),
        Merchant("Parcel Planet", 600, 19500),
    ), 4),
    Habit("Entertainment", 620, 190, (96, 96, 97, 100, 102, 108, 112, 110, 98, 98, 96, 118),
        ("Visa", "Amex"), (
        Merchant("Grand Cinema", 1100, 5600), Merchant("Stagehouse Theater", 3500, 22000),
        Merchant("Arcade Alley", 900, 6200), Merchant("Ticket Booth", 2500, 31000),
    )),
    Habit("Health", 350, 60, (116, 112, 104, 100, 96, 92, 90, 92, 100, 104, 106, 98), ("Checking", "Visa"), (
        Merchant("Wellspring Pharmacy", 450, 9200), Merchant("Lakeside Dental", 6500, 48000),
        Merchant("Family Clinic", 2500, 26000), Merchant("Peak Physio", 5500, 14500),
    )),
    Habit("Travel", 330, 100, (62, 66, 88, 92, 108, 148, 196, 184, 94, 82, 76, 118), ("Amex", "Joint"), (
        Merchant("Skyline Air", 9800, 88000), Merchant("Harbor Hotels", 8900, 96000),
        Merchant("RailLink", 1900, 21000), Merchant("Roadrunner Rentals", 4200, 52000),
    ), 5),
    Habit("Home", 380, 170, (84, 86, 104, 122, 126, 114, 104, 100, 98, 96, 86, 82), ("Joint", "Visa"), (
        Merchant("Toolshed Hardware", 700, 26500), Merchant("Garden Gate", 900, 15500),
        Merchant("Sparkle Cleaning", 4500, 19000),
    ), 2),
    Habit("Education", 120, 60, (124, 100, 86, 84, 82, 84, 80, 128, 168, 104, 84, 76), ("Checking",), (
        Merchant("Open Campus", 2900, 49000), Merchant("Lingua School", 3500, 24000),
    )),
)  # fmt: skip

BILLS = (
    Bill("Rent", "Lakeview Apartments", 1, 198000, 0, "Joint", "Chicago"),
    Bill("Utilities", "City Power & Light", 8, 11200, 35, "Joint", "Chicago"),
    Bill("Utilities", "Lakeside Water", 11, 4800, 15, "Joint", "Chicago"),
    Bill("Utilities", "FiberNet", 14, 6500, 0, "Checking", "Chicago"),
    Bill("Utilities", "Pocket Mobile", 17, 8200, 10, "Checking", "Chicago"),
    Bill("Insurance", "Shoreline Insurance", 5, 16400, 0, "Checking", "Chicago"),
    Bill("Subscriptions", "StreamBox", 3, 1599, 0, "Visa", "Chicago"),
    Bill("Subscriptions", "Tunewave", 9, 1099, 0, "Visa", "Chicago"),
    Bill("Subscriptions", "CloudLocker", 12, 299, 0, "Visa", "Chicago"),
    Bill("Subscriptions", "Morning Herald", 18, 1700, 0, "Amex", "Chicago"),
    Bill("Subscriptions", "Iron Gym", 20, 4900, 0, "Visa", "Chicago"),
    Bill("Subscriptions", "Puzzle Club", 25, 699, 0, "Amex", "Chicago"),
)

# The second year against the first.
MORE_PURCHASES_PERCENT = 104
HIGHER_PRICES_PERCENT = 103


class Chance:
    """A linear congruential generator of 64 bits, of which the upper 31 are used."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) * limit >> 31

    def pick(self, weighted: tuple[tuple[str, int], ...]) -> str:
        ticket = self.below(sum(weight for _, weight in weighted))
        for name, weight in weighted:
            ticket -= weight
            if ticket < 0:
                return name
        raise AssertionError("the weights do not add up")


def _days() -> Iterator[datetime.date]:
    for number in range((LAST_DAY - FIRST_DAY).days + 1):
        yield FIRST_DAY + datetime.timedelta(days=number)


def _monthly(day: datetime.date, chance: Chance) -> Iterator[Row]:
    for bill in BILLS:
        if bill.day == day.day:
            percent = 100 - bill.varies_percent + chance.below(2 * bill.varies_percent + 1)
            cents = _price(bill.cents * percent // 100, day)
            yield Row(day, bill.merchant, bill.category, cents, bill.account, bill.city)


def _daily(day: datetime.date, chance: Chance) -> Iterator[Row]:
    for habit in HABITS:
        rate = habit.per_thousand_days * habit.months[day.month - 1] // 100
        rate = rate * (habit.weekend_percent if day.weekday() >= 5 else 100) // 100
        rate = rate * (MORE_PURCHASES_PERCENT if day.year == 2025 else 100) // 100
        # Eight chances a day, so that some days have none and some have many.
        for _ in range(8):
            if chance.below(8000) < rate:
                yield from _purchase(habit, day, chance)


def _purchase(habit: Habit, day: datetime.date, chance: Chance) -> Iterator[Row]:
    merchant = habit.merchants[min(chance.below(len(habit.merchants)), chance.below(len(habit.merchants)))]
    # The least of three: many small amounts, few large ones.
    span = merchant.high_cents - merchant.low_cents
    cents = _price(merchant.low_cents + min(chance.below(span) for _ in range(3)), day)
    account = habit.accounts[min(chance.below(len(habit.accounts)), chance.below(len(habit.accounts)))]
    city = chance.pick(CITIES)
    yield Row(day, merchant.name, habit.category, cents, account, city)
    if chance.below(100) < habit.refund_percent:
        later = day + datetime.timedelta(days=3 + chance.below(18))
        if later <= LAST_DAY:
            yield Row(later, merchant.name, habit.category, -cents, account, city)


def _price(cents: int, day: datetime.date) -> int:
    return cents * HIGHER_PRICES_PERCENT // 100 if day.year == 2025 else cents


def _fields(row: Row) -> tuple[str, ...]:
    return (row.date.isoformat(), row.merchant, row.category, _decimal(row.cents), row.account, row.city)


def _decimal(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


if __name__ == "__main__":
    target = Path(__file__).with_name("transactions.csv")
    target.write_bytes(make_csv().encode("ascii"))
    print(f"{target}: {target.stat().st_size} bytes")
