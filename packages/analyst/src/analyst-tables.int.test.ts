import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Expectation, findFaults, is, lines, nameOf, text } from "./check.harness.ts";
import { openSessions, type Session, type Sessions } from "./session.harness.ts";
import { correlation, groupBy, mean, money, percent, rowsOf, sum, whole, type Row } from "./sums.harness.ts";
import { customers, employees, oddNames, orders, passengers, sensors, survey } from "./tables.harness.ts";

let sessions: Sessions;
beforeAll(async () => {
  sessions = await openSessions();
});
afterAll(() => sessions.close());

function check(open: () => Promise<Session>, expectations: readonly Expectation[]): void {
  let session: Session;
  beforeAll(async () => {
    session = await open();
  });
  it.each(expectations.map((expectation) => ({ name: nameOf(expectation), expectation })))(
    "$name",
    async ({ expectation }) => {
      expect(await findFaults(session, expectation)).toEqual([]);
    },
  );
}

describe("employees", () => {
  const rows = rowsOf(employees());
  const salary = (part: readonly Row[]) => mean(part, "annual_salary_usd");
  check(
    () => sessions.open(employees()),
    [
      [["average salary by department"], () => lines(groupBy(rows, text("department"), salary), 6, money)],
      [
        ["what percentage of employees are remote?"],
        () => [percent((100 * rows.filter(is("is_remote", true)).length) / rows.length)],
      ],
      [
        ["remote rate by office"],
        () =>
          lines(
            groupBy(
              rows,
              text("office"),
              (part) => (100 * part.filter(is("is_remote", true)).length) / part.length,
            ),
            4,
            percent,
          ),
        true,
      ],
      [["average salary of remote employees"], () => [money(salary(rows.filter(is("is_remote", true))))]],
      [
        ["correlation between experience and salary"],
        () => [
          `**${correlation(rows, "years_experience", "annual_salary_usd").toFixed(3).replace(/0$/, "")}`,
        ],
        true,
      ],
      [
        ["employees in Berlin with more than 10 years experience"],
        () => [
          `**${rows.filter((row) => row["office"] === "Berlin" && Number(row["years_experience"]) > 10).length}** employees`,
        ],
      ],
      [
        ["hires per year"],
        () => {
          const [best] = groupBy(
            rows,
            (row) => String(row["hire_date"]).slice(0, 4),
            (part) => part.length,
          );
          return [`(${best![1]})`];
        },
      ],
      [
        ["headcount by department", "only Berlin"],
        () =>
          lines(
            groupBy(rows.filter(is("office", "Berlin")), text("department"), (part) => part.length),
            6,
            whole,
          ),
      ],
    ],
  );
});

describe("sensor readings", () => {
  const rows = rowsOf(sensors());
  check(
    () => sessions.open(sensors()),
    [
      [
        ["average temperature by sensor"],
        () =>
          lines(
            groupBy(rows, text("sensor"), (part) => mean(part, "temperature_c")),
            4,
            money,
          ),
      ],
      [
        ["readings where temperature is missing"],
        () => [`**${rows.filter(is("temperature_c", null)).length}** readings`],
      ],
      [["hottest reading"], () => ["**76.", "2025-03-11"]],
      [["temperature outliers"], () => ["**1 ("]],
      [
        ["which columns have missing data"],
        () => [`temperature_c: ${rows.filter(is("temperature_c", null)).length} (`],
      ],
    ],
  );
});

describe("passengers", () => {
  const rows = rowsOf(passengers());
  const rate = (part: readonly Row[]) => (100 * part.filter(is("Survived", 1)).length) / part.length;
  check(
    () => sessions.open(passengers()),
    [
      [["survival rate by sex"], () => lines(groupBy(rows, text("Sex"), rate), 2, percent)],
      [["how many passengers survived"], () => [`**${rows.filter(is("Survived", 1)).length}**`]],
      [["percentage of women who survived"], () => [percent(rate(rows.filter(is("Sex", "female"))))]],
      [["average age of survivors"], () => [money(mean(rows.filter(is("Survived", 1)), "Age"))]],
      [
        ["average fare by class"],
        () =>
          groupBy(rows, text("Pclass"), (part) => mean(part, "Fare")).map(
            ([name, value]) => `pclass ${name}: ${money(value)}`,
          ),
      ],
      [["passengers without cabin"], () => [`**${rows.filter(is("Cabin", null)).length}** passengers`]],
      [
        ["missing values"],
        () => ["**3** of 10 columns", `Age: ${rows.filter(is("Age", null)).length} (`],
        true,
      ],
      [["passengers by embarked"], () => [`(missing): ${rows.filter(is("Embarked", null)).length} (`], true],
      [
        ["survival rate by sex", "and by class?"],
        () => groupBy(rows, text("Pclass"), rate).map(([name, value]) => `pclass ${name}: ${percent(value)}`),
      ],
    ],
  );
});

describe("orders and customers", () => {
  const people = new Map(rowsOf(customers()).map((row) => [row["customer_id"], row]));
  const rows = rowsOf(orders()).map((row) => ({ ...people.get(row["customer_id"] ?? null), ...row }) as Row);
  const revenue = (part: readonly Row[]) => sum(part, "revenue");
  check(
    () => sessions.open(orders(), customers()),
    [
      [
        ["revenue by country"],
        () => [
          ...lines(groupBy(rows, text("country"), revenue), 4, money),
          "joined orders.csv and customers.csv by customer_id",
        ],
        true,
      ],
      [
        ["revenue by segment and channel"],
        () => [
          money(groupBy(rows, (row) => `${text("segment")(row)}/${text("channel")(row)}`, revenue)[0]![1]),
        ],
      ],
      [
        ["customers by country"],
        () =>
          lines(
            groupBy(rowsOf(customers()), text("country"), (part) => part.length),
            1,
            whole,
          ),
      ],
      [["how many customers"], () => ["**50** customers"]],
      [
        ["units sold by product"],
        () =>
          lines(
            groupBy(rows, text("product"), (part) => sum(part, "quantity")),
            5,
            whole,
          ),
      ],
      [
        ["revenue by month for Germany", "and France?"],
        () => {
          const months = groupBy(
            rows.filter(is("country", "France")),
            (row) => String(row["order_date"]).slice(0, 7),
            revenue,
          );
          return [`${months[0]![0]} (${money(months[0]![1])})`];
        },
        true,
      ],
    ],
  );
});

describe("a survey in Chinese", () => {
  const rows = rowsOf(survey());
  check(
    () => sessions.open(survey()),
    [
      [
        ["按城市统计消费金额"],
        () =>
          lines(
            groupBy(rows, text("城市"), (part) => sum(part, "消费金额")),
            5,
            money,
          ),
        true,
      ],
      [
        ["各城市的平均月收入", "只看女性"],
        () =>
          lines(
            groupBy(rows.filter(is("性别", "女")), text("城市"), (part) => mean(part, "月收入")),
            5,
            money,
          ),
      ],
      [
        ["月收入大于20000的有多少人"],
        () => [`**${rows.filter((row) => Number(row["月收入"]) > 20_000).length}**`],
      ],
      [
        ["每月消费金额趋势"],
        () => {
          const [best] = groupBy(
            rows,
            (row) => String(row["日期"]).slice(0, 7),
            (part) => sum(part, "消费金额"),
          );
          return [`${best![0]} (${money(best![1])})`];
        },
      ],
      [
        ["年龄在30到40之间的平均消费金额"],
        () => [
          money(
            mean(
              rows.filter((row) => Number(row["年龄"]) >= 30 && Number(row["年龄"]) <= 40),
              "消费金额",
            ),
          ),
        ],
      ],
      [
        ["按城市和性别统计平均消费金额"],
        () => [
          money(
            groupBy(
              rows,
              (row) => `${text("城市")(row)}${text("性别")(row)}`,
              (part) => mean(part, "消费金额"),
            )[0]![1],
          ),
        ],
        true,
      ],
    ],
  );
});

describe("a table with odd names", () => {
  const rows = rowsOf(oddNames());
  check(
    () => sessions.open(oddNames()),
    [
      [
        ["total sales by class"],
        () => [money(groupBy(rows, text("class"), (part) => sum(part, "Sales ($)"))[0]![1])],
        true,
      ],
      [
        ["average launch count by region"],
        () =>
          lines(
            groupBy(rows, text("Région / Área"), (part) => mean(part, "🚀 launch count")),
            3,
            money,
          ),
      ],
      [
        ['sales by He said "hi"'],
        () => [money(groupBy(rows, text('He said "hi"'), (part) => sum(part, "Sales ($)"))[0]![1])],
        true,
      ],
      [["sum of total"], () => [money(sum(rows, "total"))]],
      [["correlations"], () => [], true],
    ],
  );
});
