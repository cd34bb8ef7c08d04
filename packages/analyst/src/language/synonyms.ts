/**
 * Words that name the same thing in a question and in a column's name. A word of a group finds a column whose name
 * has another word of it, if no column has the word itself. Earlier words of a group are likelier columns.
 */
const GROUPS: readonly (readonly string[])[] = [
  words(
    "amount|spend|spending|spent|revenue|sale|sales|turnover|total|cost|price|expense|expenditure|value|paid|payment|money|fare|charge|income|earning|proceeds|sell|销售额|金额|总额|花费|支出|收入|消费|营业额|费用|价格|销售|营收|消费额|消费金额|销售金额",
  ),
  words("salary|pay|wage|earning|compensation|income|paid|工资|薪资|薪水|收入|月薪|年薪|薪酬"),
  words("quantity|qty|unit|volume|item|piece|sold|数量|销量|件数"),
  words("profit|margin|gain|利润|毛利"),
  words("date|day|when|time|timestamp|datetime|日期|时间|何时"),
  words("category|type|kind|class|segment|group|类别|分类|类型|种类|品类|等级"),
  words("city|town|location|place|where|城市|地点|地区|位置|所在地"),
  words("country|nation|国家"),
  words("region|area|state|province|territory|地区|省份|区域|大区|省"),
  words("merchant|vendor|shop|store|supplier|seller|商家|商户|店铺|门店|供应商"),
  words("customer|client|buyer|user|consumer|顾客|客户|用户|会员"),
  words("product|item|article|sku|good|产品|商品"),
  words("department|dept|team|division|unit|部门|团队"),
  words("employee|staff|worker|colleague|员工|职工|职员"),
  words("name|who|person|姓名|名字|名称"),
  words("sex|gender|性别"),
  words("age|old|年龄|岁数"),
  words("job|title|role|position|occupation|职位|岗位|职务|职业"),
  words("temperature|temp|温度|气温"),
  words("rating|score|star|grade|satisfaction|评分|分数|得分|成绩|满意度"),
  words("account|card|账户|账号"),
  words("duration|length|minute|时长|用时"),
  words("status|state|状态"),
  words("channel|source|渠道|来源"),
  words("education|degree|学历|教育"),
  words("sensor|device|station|传感器|设备"),
];

const GROUPS_OF = new Map<string, (readonly string[])[]>();
for (const group of GROUPS) {
  for (const word of group) GROUPS_OF.set(word, [...(GROUPS_OF.get(word) ?? []), group]);
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  dept: "department",
  qty: "quantity",
  amt: "amount",
  temp: "temperature",
  cat: "category",
  desc: "description",
  addr: "address",
  acct: "account",
  cust: "customer",
  emp: "employee",
  mgr: "manager",
  prod: "product",
  yr: "year",
  mo: "month",
  num: "number",
  no: "number",
  pct: "percent",
  avg: "average",
  lat: "latitude",
  lon: "longitude",
  lng: "longitude",
  dob: "birth",
  hum: "humidity",
  pres: "pressure",
  rev: "revenue",
  org: "organization",
  loc: "location",
  exp: "experience",
  dur: "duration",
  pop: "population",
};

/** How well a word of a question fits a word of a column's name by meaning: 0 when it does not. */
export function affinity(asked: string, named: string): number {
  let best = 0;
  for (const group of GROUPS_OF.get(asked) ?? []) {
    const position = group.indexOf(named);
    if (position >= 0) best = Math.max(best, 1 - (0.5 * position) / group.length);
  }
  return best;
}

export function expand(word: string): string {
  return Object.hasOwn(ABBREVIATIONS, word) ? (ABBREVIATIONS[word] ?? word) : word;
}

/** What people call the rows of a table when no column has that name. */
const ROW_NOUNS = new Set(
  words(
    "row|record|entry|transaction|purchase|order|employee|person|passenger|customer|user|reading|measurement|response|respondent|participant|student|product|visit|event|session|trip|item|observation|line|case|patient|ticket|invoice|booking|survey|answer|game|movie|book|house|property|car|flight|worker|staff|member|client|guest|交易|订单|员工|记录|人|乘客|客户|用户|受访者|问卷|学生|条记录|笔交易|笔|个人|顾客|购买|受访人",
  ),
);

export function isRowNoun(stem: string): boolean {
  return ROW_NOUNS.has(stem);
}

export const CHINESE_NOUNS: readonly string[] = [...GROUPS.flat(), ...ROW_NOUNS].filter((word) =>
  /[\u3400-\u9fff]/.test(word),
);

function words(list: string): string[] {
  return list.split("|");
}
