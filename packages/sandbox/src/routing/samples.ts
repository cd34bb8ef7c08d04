import type { Place } from "./decision.ts";

/** Code, where it belongs, and what the reason must say. */
export interface Sample {
  readonly about: string;
  readonly code: string;
  readonly place: Place;
  readonly because?: RegExp;
}

const light = (about: string, code: string, because?: RegExp): Sample => ({
  about,
  code,
  place: "light",
  ...(because && { because }),
});
const heavy = (about: string, code: string, because: RegExp): Sample => ({
  about,
  code,
  place: "heavy",
  because,
});

/**
 * In the kernels of these samples `df` and `load` live in CPython, `total` and `words` in Pyodide. In the workspace:
 * `plain_tools.py`, `report.py` (imports pandas), `chain.py` (imports report), `runner.py` (starts processes),
 * `data.csv` of 120 MB and `small.csv` of 2 kB.
 */
export const samples: readonly Sample[] = [
  light("arithmetic", "1 + 1"),
  light("empty code", ""),
  light("blank lines", "\n\n   \n"),
  light("comments alone", "# import pandas\n# subprocess.run('ls')"),
  light("a loop", "for i in range(10):\n    print(i ** 2)"),
  light(
    "the standard library",
    "import math, json, re\nfrom datetime import date\nprint(math.pi, date.today())",
  ),
  light("a submodule", "import os.path\nimport collections.abc as abc"),
  light("html", "import html\nprint(html.escape('<p>plot</p>'))"),
  light("a paragraph", "paragraph = 'a graph of a dataframe, by regression'\nlen(paragraph)"),
  light("a comment that says pandas", "x = 1  # import pandas as pd\nx"),
  light("a string that says numpy", "text = 'import numpy as np'\nprint(text)"),
  light(
    "a docstring that says pandas",
    'def f():\n    """import pandas\n    !ls\n    """\n    return 1\nf()',
  ),
  light("a text over lines with shell escapes", 's = """\n!ls\n%%bash\n%pip install x\n"""\nprint(s)'),
  light("a variable named plot", "plot = [1, 2]\nchart = dataframe = plot\nprint(plot)"),
  light("a variable named pandas", "pandas = 'two bears'\nprint(pandas)"),
  light("an attribute named system", "class A:\n    def system(self, x): return x\nA().system('ls')"),
  light("a modulo at the beginning of a line", "y = (7\n% 4)\nprint(y)"),
  light("not equal at the beginning of a line", "y = (7\n!= 4)\nprint(y)"),
  light(
    "types only",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas as pd\ndef f(d: 'pd.DataFrame'): ...",
  ),
  light("types only, by module", "import typing\nif typing.TYPE_CHECKING:\n    import numpy\nx = 1"),
  light(
    "a module that it can do without",
    "try:\n    import ujson as json\nexcept ImportError:\n    import json\njson.dumps({})",
  ),
  light("an f-string", "name = 'import pandas'\nprint(f'{name!r:>30} {{subprocess}}')"),
  light("Chinese text", "信息 = '导入 pandas'\nprint(信息)  # 使用 numpy 绘图"),
  light("Chinese names", "def 平方(数):\n    return 数 ** 2\n平方(12)"),
  light("a walrus", "if (n := len('abc')) > 2:\n    print(n)"),
  light(
    "match",
    "match [1, 2]:\n    case [a, *rest] if a > 0:\n        print(a, rest)\n    case {'df': value}:\n        print(value)",
  ),
  light(
    "decorators",
    "import functools\n@functools.cache\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(30)",
  ),
  light("top-level await", "async def f():\n    return 1\nawait f()"),
  light("a syntax error", "def broken(:\n    return"),
  light("a word that is no code", "hello world"),
  light("own variables", "total += sum(len(word) for word in words)", /uses total, which lives in Pyodide/),
  light("a name of CPython's, bound anew", "df = 3\nprint(df)"),
  light("a parameter named as a variable of CPython's", "def f(df):\n    return df\nf(1)"),
  light("a loop variable named so", "[df for df in range(3)]"),
  light("a keyword named so", "dict(df=1)"),
  light("an attribute named so", "class A: pass\na = A()\na.df = 1"),
  light("an own module", "import plain_tools\nplain_tools.double(2)"),
  light("an own module, relative", "from .plain_tools import double"),
  light("a small file", "with open('small.csv') as file:\n    print(file.read())"),
  light("a path written out", "from pathlib import Path\nPath('small.csv').read_text()"),
  light("a short sleep", "import time\ntime.sleep(0.1)"),
  light("exec of plain code", "exec('y = 1')"),
  light("a large number", "print(10 ** 30 * 7)"),
  light("urllib.parse", "from urllib.parse import quote\nquote('a b')"),
  light("a name that only looks like a module's", "import_pandas = 1\nnumpy_like = import_pandas"),
  heavy("pandas", "import pandas as pd\npd.DataFrame()", /imports pandas/),
  heavy("a part of matplotlib", "from matplotlib import pyplot as plt", /imports matplotlib/),
  heavy("several on one line", "import math, numpy.linalg as la", /imports numpy/),
  heavy(
    "over lines",
    "from sklearn.linear_model import (\n    LinearRegression,  # the usual\n    Ridge,\n)",
    /imports sklearn/,
  ),
  heavy("in a function", "def f():\n    import seaborn\nf()", /imports seaborn/),
  heavy("under a condition", "import sys\nif sys.maxsize > 0:\n    import numpy", /imports numpy/),
  heavy(
    "optional, but there",
    "try:\n    import numpy as np\nexcept ImportError:\n    np = None",
    /imports numpy/,
  ),
  heavy("a name like that of pandas", "import pandas_stubs_like_name", /imports pandas_stubs_like_name$/),
  heavy("everything of a module", "from numpy import *\narray([1])", /imports numpy/),
  heavy("importlib with a text", "import importlib\nimportlib.import_module('pandas')", /imports pandas/),
  heavy("__import__", "__import__('numpy').zeros(3)", /imports numpy/),
  heavy(
    "importlib with a constant",
    "import importlib\nNAME = 'scipy'\nimportlib.import_module(NAME)",
    /imports scipy/,
  ),
  heavy(
    "importlib with a variable",
    "import importlib\nfor m in ['a', 'b']:\n    importlib.import_module(m)",
    /only known when it runs/,
  ),
  heavy("exec of pandas", "exec('import pandas')", /imports pandas/),
  heavy("an own module that imports pandas", "import report", /imports report, which imports pandas/),
  heavy(
    "an own module behind another",
    "from chain import main",
    /imports chain, which imports report, which imports pandas/,
  ),
  heavy("an own module, relative", "from .report import table", /imports report, which imports pandas/),
  heavy("an own module that starts processes", "import runner", /imports runner, which starts processes/),
  heavy("a module that failed there before", "import yaml", /imports yaml/),
  heavy("a shell escape", "!ls -la", /shell command/),
  heavy("a shell escape with a result", "files = !ls\nprint(files)", /shell command/),
  heavy("a shell escape in a branch", "if True:\n    !pip list", /shell command/),
  heavy("bash", "%%bash\necho hello", /shell command/),
  heavy("pip", "%pip install requests", /shell command/),
  heavy("a magic", "%timeit 1 + 1", /%timeit/),
  heavy("help", "len?", /notebook/),
  heavy("subprocess", "import subprocess\nsubprocess.run(['ls'])", /starts processes or threads/),
  heavy(
    "subprocess by another name",
    "from subprocess import run as go\ngo('ls')",
    /starts processes or threads/,
  ),
  heavy("os.system", "import os\nos.system('ls')", /starts processes or threads \(os\.system\)/),
  heavy("os.popen by another name", "import os as operating\noperating.popen('ls')", /os\.popen/),
  heavy("threads", "import threading\nthreading.Thread(target=print).start()", /processes or threads/),
  heavy("a pool", "from concurrent.futures import ThreadPoolExecutor", /processes or threads/),
  heavy("sockets", "import socket\nsocket.create_connection(('example.org', 80))", /network/),
  heavy("urllib.request", "import urllib.request\nurllib.request.urlopen('http://example.org')", /network/),
  heavy("requests", "import requests\nrequests.get('http://example.org')", /network/),
  heavy("a variable of CPython's", "df.head()", /uses df, which lives in CPython/),
  heavy("a function of CPython's", "rows = load()\nlen(rows)", /uses load, which lives in CPython/),
  heavy("variables of both", "total + len(df)", /uses df, which lives in CPython/),
  heavy("a variable of CPython's in an f-string", "print(f'{len(df)} rows')", /uses df/),
  heavy("a variable of CPython's in a function", "def show():\n    return df.head()\nshow()", /uses df/),
  heavy("a variable of CPython's in a comprehension", "[c for c in df.columns]", /uses df/),
  heavy("added to", "df += 1", /uses df/),
  heavy("bound in a branch alone", "if total:\n    df = None\nprint(df)", /uses df/),
  heavy("deleted", "del df", /uses df/),
  heavy("any variable", "exec(input())", /may use any variable/),
  heavy("a broken line beside a variable", "df.head(\nprint('x'", /uses df/),
  heavy(
    "a large file",
    "with open('data.csv') as file:\n    print(file.readline())",
    /opens data\.csv \(120 MB\)/,
  ),
  heavy("a large file by a constant", "PATH = '/workspace/data.csv'\nopen(PATH).read()", /opens data\.csv/),
  heavy(
    "a large file by pathlib",
    "from pathlib import Path\nprint((Path('/workspace') / 'data.csv').stat())",
    /opens data\.csv/,
  ),
  heavy(
    "a large file by csv",
    "import csv\nrows = list(csv.reader(open(file='data.csv')))",
    /opens data\.csv/,
  ),
  heavy("a huge loop", "s = 0\nfor i in range(10**9):\n    s += i", /loops 1,000,000,000 times/),
  heavy(
    "loops in loops",
    "for i in range(10_000):\n    for j in range(10_000):\n        pass",
    /loops 100,000,000 times/,
  ),
  heavy("a huge sum", "sum(i * i for i in range(100_000_000))", /loops 100,000,000 times/),
  heavy("a huge list", "zeros = [0] * 10**9", /makes 1,000,000,000 elements/),
  heavy("a long sleep", "import time\ntime.sleep(30)", /sleeps 30 s/),
  heavy(
    "an event loop of its own",
    "import asyncio\nasync def f(): return 1\nasyncio.run(f())",
    /imports asyncio/,
  ),
  heavy("code too long to be looked at", `x = "${"a".repeat(250_000)}"`, /too long/),
];
