/** Phrases and the concept they stand for. Chinese phrases are also the dictionary that cuts Chinese text. */
const PHRASES = {
  sum: "sum|sums|total|totals|totaled|overall total|in total|altogether|add up|总和|总计|合计|总额|求和|总共|总的|总",
  mean: "average|averages|mean|means|avg|on average|typical|平均|平均值|均值|平均数|人均",
  median: "median|medians|middle value|中位数|中位",
  count:
    "how many|number of|count|counts|count of|total number of|amount of rows|how often|headcount|frequency|frequencies|how frequently|volume of|多少个|多少条|多少行|几个|几条|数量|个数|次数|多少人|多少名|多少位|有多少|人数|笔数|条数|行数|计数",
  min: "min|minimum|minima|最小值|最低值",
  max: "max|maximum|maxima|最大值|最高值",
  std: "standard deviation|std|stdev|std dev|variability|标准差",
  distinct: "distinct|unique|different|不同的|不同|去重|唯一",
  rate: "rate|rates",
  "top-n": "top|best|leading|head of|排名前|前|最前",
  "bottom-n": "bottom|worst|倒数|后",
  most: "most|highest|largest|biggest|greatest|higher|largest number of|most common|most frequent|most popular|greatest number of|最高|最大|最多|最高的|最大的|最多的|最常见|最常见的|最贵|最贵的|最好",
  least:
    "least|lowest|smallest|fewest|lower|least common|rarest|least frequent|最低|最小|最少|最低的|最小的|最少的|最差",
  rank: "rank|ranking|ranked|leaderboard|rankings|排名|排行|排行榜|排序",
  by: "by|per|for each|each|every|in each|within each|grouped by|group by|broken down by|break down by|breakdown by|break it down by|break that down by|breakdown of|broken down|breakdown|split by|split it by|across|for every|in every|depending on|按照|按|每个|每种|每类|每|各个|各|各类|根据|分组|不同的|分",
  share:
    "share|shares|percentage|percentages|percent|%|proportion|proportions|fraction|portion|pct|what part|contribution|contribute|占比|比例|百分比|占|份额|比重",
  trend:
    "trend|trends|over time|over the years|over the year|over the months|evolution|evolve|evolved|evolves|develop|developed|development|timeline|time series|timeseries|history of|through time|time trend|趋势|走势|变化趋势|随时间|变化|随时间变化|时间趋势",
  growth:
    "growth|grow|grew|grown|growing|growth rate|increase|increases|increased|increasing|decrease|decreased|decline|declined|change|changes|changed|rise|rose|risen|fall|fell|drop|dropped|增长|增长率|增速|增加|下降|增幅|涨幅",
  "month-over-month": "month over month|month on month|mom|环比",
  "year-over-year": "year over year|year on year|yoy|同比",
  day: "daily|day|days|per day|by day|day by day|每天|每日|按天|按日|天|日",
  week: "weekly|week|weeks|per week|by week|week by week|每周|按周|周",
  month:
    "monthly|month|months|per month|by month|month by month|月度|每月|每个月|按月|按月份|月份|逐月|各月|月",
  quarter: "quarterly|quarter|quarters|per quarter|by quarter|季度|每季度|按季度|每个季度|按季",
  year: "yearly|annual|annually|year|years|per year|by year|year by year|每年|年度|按年|按年份|年份|历年|年",
  weekday:
    "weekday|weekdays|day of week|day of the week|days of the week|weekday of|星期|星期几|周几|按星期|一周中的哪天",
  hour: "hour|hours|hourly|hour of day|hour of the day|hours of the day|time of day|小时|每小时|按小时",
  "month-of-year": "month of year|month of the year|calendar month|season|seasonality|seasonal",
  distribution:
    "distribution|distributions|histogram|histograms|distributed|spread|range|range of|spread out|how spread|分布|分布情况|直方图",
  correlation:
    "correlation|correlations|correlate|correlates|correlated|relationship|relationships|relation|related|relate|depend|depends|depend on|depends on|associated|association|influence|influences|affect|affects|相关性|相关|相关系数|关系|关联|影响",
  compare:
    "compare|compares|compared|comparison|comparing|versus|vs|vs.|compared to|compared with|difference between|differences between|differ|against|compare to|compare with|对比|比较|相比|与|差异|差别",
  outliers:
    "outlier|outliers|anomaly|anomalies|unusual|unusually|abnormal|extreme values|extremes|suspicious|strange|异常值|异常|离群值|离群点",
  missing:
    "missing|null|nulls|nan|nans|empty|blank|blanks|na values|missing values|missing data|null values|empty values|empty cells|incomplete|not available|unknown values|缺失值|缺失|空值|缺少|为空|缺失情况|缺失数据",
  duplicates:
    "duplicate|duplicates|duplicated|dupes|duplicate rows|duplicate records|duplicated rows|repeated rows|repeated|重复|重复行|重复值|重复数据|重复记录|重复的",
  describe:
    "describe|summary|summarize|summarise|summaries|overview|statistics|stats|summary statistics|descriptive statistics|key figures|basic statistics|profile|what is in|what's in|about the data|about this data|about the dataset|about this dataset|about this table|about the table|about this file|about the file|tell me about|insights|explore|analyze|analyse|analysis|描述|概览|概况|统计信息|描述统计|描述性统计|摘要|总结|分析|基本情况|介绍",
  columns:
    "columns|column|fields|schema|data types|column names|dtypes|variables|headers|what columns|which columns|字段|列|列名|哪些列|哪些字段|有哪些列|有哪些字段|数据结构",
  rows: "rows|row|records|record|entries|entry|lines|observations|sample|samples|example rows|preview|first rows|data points|cases|raw data|show me the data|show the data|show data|see the data|display the data|show me the table|show the table|look at the data|show me data|看看数据|查看数据|显示数据|行|记录|数据行|样例|明细|条|预览",
  last: "last|bottom rows|tail|最后|末尾",
  first: "first|head|最初|开头",
  "which-ones": "which|what|who|what are the|哪个|哪些|哪一个|哪种|什么|谁|哪位|哪",
  list: "list|list all|list of|show all|all the|列出|所有|全部",
  not: "not|without|excluding|except|except for|other than|but not|ignore|ignoring|exclude|apart from|non|no|isn't|aren't|is not|are not|not in|leave out|remove|leaving out|outside|!=|<>|≠|不是|不含|除了|除去|排除|不包括|去掉|不|非|剔除|除",
  only: "only|just|restrict to|filter|filter by|filter to|limit to|where|whose|having|only for|only in|keep only|只看|仅|只|仅看|只有|筛选|其中|只要|仅限|限定",
  gt: "over|above|more than|greater than|exceeding|exceed|exceeds|higher than|bigger than|larger than|older than|longer than|>|upwards of|大于|超过|高于|多于|以上的|以上",
  gte: "at least|no less than|minimum of|>=|≥|or more|or above|and above|and over|至少|不少于|不低于|大于等于",
  lt: "under|below|less than|fewer than|smaller than|lower than|younger than|shorter than|cheaper than|<|小于|低于|少于|不到|以下的|以下",
  lte: "at most|no more than|maximum of|up to|<=|≤|or less|or below|or fewer|至多|不超过|不多于|小于等于",
  between: "between|from|ranging from|介于|从",
  eq: "=|==|equals|equal to|equal|exactly|is exactly|等于|是|为",
  contains:
    "contains|containing|contain|including the word|with the word|matching|matches|like|named|called|includes|including|包含|含有|含|名为|叫",
  "chart-bar":
    "bar|bars|bar chart|bar graph|bar plot|as bars|column chart|barchart|horizontal bars|条形图|柱状图|柱形图",
  "chart-line": "line chart|line graph|line plot|as a line|linechart|as lines|折线图|线图|曲线图",
  "chart-pie": "pie|pie chart|donut|doughnut|pie graph|饼图|饼状图|圆环图",
  "chart-histogram": "as a histogram|histogram chart|histogram plot",
  "chart-scatter": "scatter|scatter plot|scatterplot|scatter chart|散点图",
  "chart-box": "box plot|boxplot|box plots|boxplots|whisker plot|箱线图|箱形图",
  "chart-stacked": "stacked|stacked bar|stacked bars|stacked bar chart|堆叠|堆积柱状图|堆叠图",
  "chart-area": "area chart|area plot|area graph|面积图",
  "chart-none":
    "as a table|no chart|without chart|without a chart|table only|just the table|表格|不要图|用表格",
  "chart-auto":
    "chart|plot|graph|visualize|visualise|visualization|draw|diagram|figure|plot it|chart it|画图|图表|作图|画|图|可视化|绘制",
  ascending:
    "ascending|lowest first|smallest first|low to high|increasing order|from smallest|from lowest|sort ascending|ascending order|asc|升序|从低到高|从小到大",
  descending:
    "descending|highest first|largest first|high to low|biggest first|decreasing order|sort descending|descending order|desc|降序|从高到低|从大到小",
  sort: "sort|sorted|order by|sort by|sorted by|ordered by|reorder|按排序",
  cumulative: "cumulative|running total|cumulated|cumulatively|year to date|累计|累积",
  also: "also|as well|too|additionally|in addition|同时|也",
  instead: "instead|rather|改成|换成|改为|而是",
  "what-about":
    "what about|how about|and what about|and how about|and for|same for|the same for|now|then|and now|呢|那么|那|再|换",
  and: "and|&|,|，|、|or|+|plus|和|或|以及|跟|及|还有|并",
} as const;

export type Concept = keyof typeof PHRASES;

/** Words that carry no request of their own. */
const STOP_WORDS = new Set(
  (
    "a|an|the|of|in|on|at|to|for|from|with|is|are|was|were|be|been|do|does|did|has|have|had|me|my|our|us|we|i|you|your|it|its|that|this|these|those|there|their|them|they|please|pls|show|give|tell|display|find|get|see|look|want|would|like|need|can|could|should|will|let|make|create|calculate|compute|determine|provide|return|output|help|know|how|much|when|where|why|if|so|as|into|than|any|some|all|total of|data|dataset|table|value|values|figure|figures|result|results|information|info|question|answer|about|each of|using|use|via|based|regarding|terms|respect|level|type|kind|kinds|group|groups|whole|entire|overall|during|within|among|amongst|out|up|down|it's|what's|let's|who's|that's|there's|i'd|we've|own|come|comes|go|goes|happen|happened|going|s|t|ok|okay|hey|hi|hello|big|one|ones|item|also|really|actually|exactly|quickly|quick|roughly|approximately|currently|made|make|makes|having|got|done|per|vary|varies|look like|looks|broken|split|amounts|am|not sure|bit|thing|things|both|either|same|different kinds|per-|more|time|times|period|periods|return|respectively|between|the most|degrees|celsius|fahrenheit|dollars|dollar|euros|bucks|years old|old|usd|kg|file|csv|spreadsheet|excel|dataframe|df|frame|set|" +
    "的|了|吗|呢|是|在|有|请|帮我|我|我们|给|给我|看|看看|一下|显示|展示|查看|统计|计算|求|怎么样|如何|怎样|多少|和|中|里|里面|数据|数据集|表|表格中|这个|这些|那些|个|种|位|名|家|条|吧|能|可以|想|要|知道|告诉我|告诉|情况|结果|一共|分别|对|于|关于|进行|做|一个|以|之间|随|来|由|到|至|它|他们|生成|帮|地|得|哪里|用|成|形式|展现|之|上|下|都|其|最|大家|每一个|查询|查|问|并且|而|元|岁|块|分别是|分别为|是多少|有哪些|有没有|没有|没|是否|有无"
  ).split("|"),
);

const CONCEPTS = new Map<string, Concept>(
  (Object.entries(PHRASES) as [Concept, string][]).flatMap(([concept, phrases]) =>
    phrases
      .split("|")
      .toReversed()
      .map((phrase): [string, Concept] => [phrase, concept]),
  ),
);
// What several lists claim goes to the first sense a question has more often.
CONCEPTS.set("不同的", "distinct");
CONCEPTS.set("不同", "distinct");
CONCEPTS.set("histogram", "distribution");

export function conceptOf(phrase: string): Concept | undefined {
  return CONCEPTS.get(phrase);
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Chinese entries of the vocabulary. */
export const CHINESE_WORDS: readonly string[] = [...CONCEPTS.keys(), ...STOP_WORDS].filter((word) =>
  /[\u3400-\u9fff]/.test(word),
);
