import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Expectation, findFaults, is, lines, nameOf, text } from "./check.harness.ts";
import { openSessions, type Session, type Sessions } from "./session.harness.ts";
import { groupBy, mean, money, percent, quantile, sum, whole, type Row } from "./sums.harness.ts";

const bundled = fileURLToPath(new URL("../../../data/transactions.csv", import.meta.url));
const transactionRows: Row[] = readFileSync(bundled, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.trim().split(","))
  .map(([date = "", merchant = "", category = "", amount = "", account = "", city = ""]) => ({
    date,
    merchant,
    category,
    amount: Number(amount),
    account,
    city,
  }));

let sessions: Sessions;
beforeAll(async () => {
  sessions = await openSessions();
});
afterAll(() => sessions.close());

const inYear = (year: string) => (row: Row) => String(row["date"]).startsWith(year);

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

describe("the bundled transactions", () => {
  const rows = transactionRows;
  const total = (part: readonly Row[]) => sum(part, "amount");
  const byCategory = groupBy(rows, text("category"), total);
  const byCity = groupBy(rows, text("city"), total);
  const month = (row: Row) => String(row["date"]).slice(0, 7);
  const byMonth = groupBy(rows, month, total);
  const groceries = rows.filter(is("category", "Groceries"));
  const change = (before: number, after: number) => percent(100 * (after / before - 1));

  check(
    () => sessions.open({ file: "transactions.csv", path: bundled }),
    [
      [
        ["What are the top 5 categories by spend?"],
        () => [...lines(byCategory, 5, money), percent((100 * byCategory[0]![1]) / total(rows))],
        true,
      ],
      [
        ["Show me monthly trends"],
        () => [
          "24 months",
          `${byMonth[0]![0]} (${money(byMonth[0]![1])})`,
          `${byMonth.at(-1)![0]} (${money(byMonth.at(-1)![1])})`,
        ],
        true,
      ],
      [["What are the top 5 categories by spend?", "and by city?"], () => lines(byCity, 5, money)],
      [
        ["What are the top 5 categories by spend?", "and by city?", "only groceries"],
        () => [...lines(groupBy(groceries, text("city"), total), 5, money), "category is Groceries"],
      ],
      [
        ["What are the top 5 categories by spend?", "and by city?", "only groceries", "and in 2025?"],
        () => lines(groupBy(groceries.filter(inYear("2025")), text("city"), total), 5, money),
      ],
      [
        ["What are the top 5 categories by spend?", "as a pie chart"],
        () => lines(byCategory, 5, money),
        true,
      ],
      [
        ["What are the top 5 categories by spend?", "what about the average?"],
        () =>
          lines(
            groupBy(rows, text("category"), (part) => mean(part, "amount")),
            5,
            money,
          ),
      ],
      [["bottom 3 cities by amount"], () => lines(byCity.toReversed(), 3, money)],
      [["total spend"], () => [`**${money(total(rows))}**`, "6,218 transactions"], false],
      [
        ["How much did we spend on groceries in March 2025?"],
        () => [money(total(groceries.filter(inYear("2025-03"))))],
      ],
      [
        ["spend in March"],
        () => [
          money(total(rows.filter((row) => String(row["date"]).slice(5, 7) === "03"))),
          "March of every year",
        ],
      ],
      [
        ["spend in Q2 2025"],
        () => [money(total(rows.filter((row) => /^2025-0[456]/.test(String(row["date"])))))],
      ],
      [
        ["spend in the last 30 days"],
        () => [money(total(rows.filter((row) => String(row["date"]) >= "2025-12-02")))],
      ],
      [
        ["spend between 2024-03-01 and 2024-05-15"],
        () => [
          money(
            total(
              rows.filter(
                (row) => String(row["date"]) >= "2024-03-01" && String(row["date"]) <= "2024-05-15",
              ),
            ),
          ),
        ],
      ],
      [["how many transactions are there?"], () => ["**6,218**"]],
      [
        ["how many merchants are there"],
        () => [`**${new Set(rows.map(text("merchant"))).size}** different merchants`],
      ],
      [
        ["most common merchant"],
        () => {
          const [first] = groupBy(rows, text("merchant"), (part) => part.length);
          return [`**${first![0]}**`, `**${whole(first![1])}**`];
        },
      ],
      [
        ["average amount by city"],
        () =>
          lines(
            groupBy(rows, text("city"), (part) => mean(part, "amount")),
            10,
            money,
          ),
      ],
      [
        ["median amount by account"],
        () =>
          lines(
            groupBy(rows, text("account"), (part) => quantile(part, "amount", 0.5)),
            4,
            money,
          ),
      ],
      [
        ["spend by category and city"],
        () => [money(groupBy(rows, (row) => `${text("category")(row)}/${text("city")(row)}`, total)[0]![1])],
        true,
      ],
      [
        ["what share of spend is rent?"],
        () => [percent((100 * total(rows.filter(is("category", "Rent")))) / total(rows))],
      ],
      [
        ["share of spend by category"],
        () => byCategory.slice(0, 5).map(([, value]) => percent((100 * value) / total(rows))),
      ],
      [
        ["compare Chicago and Boston"],
        () => [
          money(byCity.find(([name]) => name === "Chicago")![1]),
          money(byCity.find(([name]) => name === "Boston")![1]),
        ],
        true,
      ],
      [
        ["spend 2024 vs 2025"],
        () => [
          money(total(rows.filter(inYear("2024")))),
          money(total(rows.filter(inYear("2025")))),
          change(total(rows.filter(inYear("2024"))), total(rows.filter(inYear("2025")))),
        ],
      ],
      [
        ["year over year growth"],
        () => [change(total(rows.filter(inYear("2024"))), total(rows.filter(inYear("2025"))))],
      ],
      [
        ["which category grew the most from 2024 to 2025?"],
        () => {
          const [best] = groupBy(
            rows,
            text("category"),
            (part) => total(part.filter(inYear("2025"))) - total(part.filter(inYear("2024"))),
          );
          return [`**${best![0]}**`, `**${money(best![1])}**`];
        },
      ],
      [
        ["distribution of amount"],
        () => [
          money(quantile(rows, "amount", 0.25)),
          money(quantile(rows, "amount", 0.5)),
          money(quantile(rows, "amount", 0.75)),
        ],
        true,
      ],
      [
        ["outliers in amount"],
        () => {
          const [low, high] = [quantile(rows, "amount", 0.25), quantile(rows, "amount", 0.75)];
          const outside = rows.filter(
            (row) =>
              Number(row["amount"]) < low - 1.5 * (high - low) ||
              Number(row["amount"]) > high + 1.5 * (high - low),
          );
          return [`**${whole(outside.length)} (`];
        },
        true,
      ],
      [
        ["transactions over 1000 in Chicago"],
        () => [
          `**${rows.filter((row) => Number(row["amount"]) > 1000 && row["city"] === "Chicago").length}** transactions`,
        ],
      ],
      [
        ["merchants containing market"],
        () => [
          `**${new Set(rows.map(text("merchant")).filter((name) => /market/i.test(name))).size}** different merchants`,
        ],
      ],
      [
        ["spend excluding rent and travel by city"],
        () =>
          lines(
            groupBy(
              rows.filter((row) => row["category"] !== "Rent" && row["category"] !== "Travel"),
              text("city"),
              total,
            ),
            5,
            money,
          ),
      ],
      [["what is the highest amount"], () => [money(Math.max(...rows.map((row) => Number(row["amount"]))))]],
      [
        ["which month had the highest spend?"],
        () => [`**${byMonth[0]![0]}**`, `**${money(byMonth[0]![1])}**`],
      ],
      [
        ["spend by day of week"],
        () =>
          groupBy(
            rows,
            (row) =>
              new Date(String(row["date"])).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }),
            total,
          ).map(([name, value]) => `${name}: ${money(value)}`),
        true,
      ],
      [
        ["spend on weekends"],
        () => [
          money(total(rows.filter((row) => [0, 6].includes(new Date(String(row["date"])).getUTCDay())))),
        ],
      ],
      [["cumulative spend by month"], () => [`**${money(total(rows))}**`]],
      [["missing values"], () => ["None of the 6 columns"]],
      [["are there duplicate rows"], () => ["no duplicate rows among 6,218"]],
      [
        ["describe the data"],
        () => ["**6,218** rows", "2024-01-01 to 2025-12-31", money(mean(rows, "amount"))],
      ],
      [["spend in Chicago in 1999"], () => ["No rows match", "city is Chicago"], false],
    ],
  );
});
