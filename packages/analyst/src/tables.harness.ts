/** Tables for the analyst's tests, made by a seeded generator: the same bytes every time. */
export interface TestTable {
  readonly file: string;
  readonly columns: Readonly<Record<string, readonly Cell[]>>;
}

export type Cell = string | number | boolean | null;

/** Numbers in [0, 1), the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function employees(): TestTable {
  const random = seededRandom(1);
  const rows = 240;
  const department = each(rows, () =>
    pick(random, ["Engineering", "Sales", "Support", "Marketing", "Finance", "Legal"]),
  );
  const experience = each(rows, () => Math.floor(random() * 25));
  return {
    file: "employees.csv",
    columns: {
      employee_id: each(rows, (row) => 1000 + row),
      FullName: each(
        rows,
        (row) =>
          `${pick(random, ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"])} ${pick(random, ["Ng", "Ito", "Diaz", "Roy", "Kim"])} ${row}`,
      ),
      department,
      jobTitle: each(rows, () => pick(random, ["Manager", "Engineer", "Analyst", "Assistant"])),
      annual_salary_usd: each(rows, (row) =>
        Math.round(42_000 + Number(experience[row]) * 2_100 + random() * 30_000),
      ),
      years_experience: experience,
      hire_date: each(rows, () => day(random, 2015, 10)),
      is_remote: each(rows, () => random() < 0.4),
      performance_rating: each(rows, () => 1 + Math.floor(random() * 5)),
      office: each(rows, () => pick(random, ["Berlin", "Paris", "New York", "São Paulo"])),
    },
  };
}

export function sensors(): TestTable {
  const random = seededRandom(2);
  const rows = 960;
  return {
    file: "readings.csv",
    columns: {
      timestamp: each(
        rows,
        (row) =>
          `2025-03-${two(1 + Math.floor(row / 48))} ${two(Math.floor((row % 48) / 2))}:${row % 2 === 0 ? "00" : "30"}:00`,
      ),
      sensor: each(rows, (row) => `S${1 + (row % 4)}`),
      temperature_c: each(rows, (row) =>
        random() < 0.02 ? null : round(18 + 6 * Math.sin(row / 8) + random() * 3 + (row === 500 ? 60 : 0)),
      ),
      humidity: each(rows, () => round(30 + random() * 40)),
      battery_ok: each(rows, () => random() < 0.95),
    },
  };
}

export function passengers(): TestTable {
  const random = seededRandom(3);
  const rows = 400;
  const sex = each(rows, () => pick(random, ["male", "female", "male"]));
  return {
    file: "passengers.csv",
    columns: {
      PassengerId: each(rows, (row) => row + 1),
      Survived: each(rows, (row) => (random() < (sex[row] === "female" ? 0.74 : 0.19) ? 1 : 0)),
      Pclass: each(rows, () => pick(random, [1, 2, 3, 3])),
      Name: each(rows, (row) => `Passenger, Mr${sex[row] === "female" ? "s" : ""}. No ${row}`),
      Sex: sex,
      Age: each(rows, () => (random() < 0.2 ? null : Math.floor(1 + random() * 79))),
      Fare: each(rows, () => round(5 + random() * random() * 300)),
      Cabin: each(rows, () =>
        random() < 0.75 ? null : `${pick(random, ["A", "B", "C"])}${Math.floor(random() * 90)}`,
      ),
      Embarked: each(rows, () => (random() < 0.01 ? null : pick(random, ["S", "C", "Q"]))),
      is_alone: each(rows, () => random() < 0.6),
    },
  };
}

export function orders(): TestTable {
  const random = seededRandom(4);
  const rows = 600;
  return {
    file: "orders.csv",
    columns: {
      order_id: each(rows, (row) => 5000 + row),
      customer_id: each(rows, () => 1 + Math.floor(random() * 50)),
      order_date: each(rows, () => day(random, 2024, 2)),
      product: each(rows, () => pick(random, ["Lamp", "Desk", "Chair", "Shelf", "Rug"])),
      quantity: each(rows, () => 1 + Math.floor(random() * 6)),
      unit_price: each(rows, () => round(15 + random() * 200)),
      revenue: each(rows, () => round(20 + random() * 900)),
      channel: each(rows, () => pick(random, ["web", "store", "phone"])),
    },
  };
}

export function customers(): TestTable {
  const random = seededRandom(5);
  const rows = 50;
  return {
    file: "customers.csv",
    columns: {
      customer_id: each(rows, (row) => row + 1),
      name: each(rows, (row) => `Customer ${String.fromCodePoint(65 + (row % 26))}${row}`),
      country: each(rows, () => pick(random, ["Germany", "France", "Spain", "Italy"])),
      segment: each(rows, () => pick(random, ["Consumer", "Corporate", "Home Office"])),
      signup_date: each(rows, () => day(random, 2020, 4)),
    },
  };
}

export function survey(): TestTable {
  const random = seededRandom(6);
  const rows = 300;
  return {
    file: "问卷.csv",
    columns: {
      编号: each(rows, (row) => row + 1),
      城市: each(rows, () => pick(random, ["北京", "上海", "广州", "深圳", "成都"])),
      性别: each(rows, () => pick(random, ["男", "女"])),
      年龄: each(rows, () => 18 + Math.floor(random() * 50)),
      月收入: each(rows, () => Math.round(4_000 + random() * 26_000)),
      消费金额: each(rows, () => round(50 + random() * 3_000)),
      满意度: each(rows, () => 1 + Math.floor(random() * 5)),
      日期: each(rows, () => day(random, 2024, 1)),
      渠道: each(rows, () => (random() < 0.05 ? null : pick(random, ["线上", "门店", "电话"]))),
    },
  };
}

export function oddNames(): TestTable {
  const random = seededRandom(7);
  const rows = 120;
  return {
    file: "wide & odd.csv",
    columns: {
      "Sales ($)": each(rows, () => round(random() * 500)),
      'He said "hi"': each(rows, () => pick(random, ["yes'; import os #", 'a"b', "plain", "back\\slash"])),
      "🚀 launch count": each(rows, () => Math.floor(random() * 9)),
      "% of total": each(rows, () => round(random() * 100)),
      class: each(rows, () => pick(random, ["$5–$10", "$10–$20", "under_score*s"])),
      "Région / Área": each(rows, () => pick(random, ["Nord", "Süd", "Île-de-France"])),
      total: each(rows, () => round(random() * 50)),
      "Net Sales 2024": each(rows, () => round(random() * 900)),
      "Net Sales 2025": each(rows, () => round(random() * 900)),
      "a,b": each(rows, () => Math.floor(random() * 3)),
    },
  };
}

export function toCsv({ columns }: TestTable): string {
  const names = Object.keys(columns);
  const rows = Object.values(columns)[0]?.length ?? 0;
  const lines = Array.from({ length: rows }, (_, row) =>
    names.map((name) => quote(columns[name]?.[row] ?? null)).join(","),
  );
  return [names.map((name) => quote(name)).join(","), ...lines].join("\n");
}

function quote(cell: Cell): string {
  const text = cell === null ? "" : typeof cell === "boolean" ? (cell ? "True" : "False") : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function each<T>(rows: number, make: (row: number) => T): T[] {
  return Array.from({ length: rows }, (_, row) => make(row));
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function day(random: () => number, year: number, years: number): string {
  return `${year + Math.floor(random() * years)}-${two(1 + Math.floor(random() * 12))}-${two(1 + Math.floor(random() * 28))}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** Like the bundled data, but small. */
export function transactions(): TestTable {
  const random = seededRandom(8);
  const rows = 500;
  const merchants = [
    "Green Basket",
    "Corner Market",
    "Noodle House",
    "Blue Door Cafe",
    "Skyline Air",
    "Lakeview Apartments",
    "Metro Transit",
  ];
  return {
    file: "transactions.csv",
    columns: {
      date: each(rows, (row) => (row === 0 ? "2024-01-01" : row === 1 ? "2025-12-31" : day(random, 2024, 2))),
      merchant: each(rows, () => pick(random, merchants)),
      category: each(rows, () =>
        pick(random, ["Groceries", "Dining", "Travel", "Rent", "Transport", "Home", "Health"]),
      ),
      amount: each(rows, () => round(random() * 400 - 10)),
      account: each(rows, () => pick(random, ["Visa", "Joint", "Amex", "Checking"])),
      city: each(rows, () => pick(random, ["Chicago", "Boston", "New York", "Denver", "San Francisco"])),
    },
  };
}
