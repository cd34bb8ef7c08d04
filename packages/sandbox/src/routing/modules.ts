/**
 * What a plain Python in WebAssembly can import and use: the standard library without what needs processes, threads,
 * sockets or an event loop of its own, and without what its builds leave out. A driver that knows better says so.
 */
export const plainModules: ReadonlySet<string> = new Set(
  `__future__ _thread abc argparse array ast atexit base64 binascii bisect builtins bz2 calendar cmath codecs
  codeop collections colorsys compileall configparser contextlib contextvars copy copyreg csv dataclasses datetime
  decimal difflib dis doctest email encodings enum errno filecmp fileinput fnmatch fractions functools gc getopt getpass
  gettext glob graphlib gzip hashlib heapq hmac html importlib inspect io itertools json keyword linecache locale logging
  marshal math mimetypes numbers opcode operator optparse os pathlib pickle pickletools pkgutil platform plistlib posixpath
  pprint profile pstats py_compile pyclbr pydoc queue quopri random re reprlib runpy sched secrets shelve shlex
  shutil site stat statistics string stringprep struct symtable sys sysconfig tabnanny tarfile tempfile textwrap
  time timeit token tokenize tomllib trace traceback tracemalloc types typing unicodedata unittest urllib uuid warnings
  weakref xml zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
);

/** Of the full runtime: what work with data is made of. */
export const dataModules: ReadonlySet<string> = new Set(
  `numpy pandas matplotlib scipy sklearn seaborn statsmodels pyarrow polars openpyxl plotly altair duckdb sqlalchemy
  PIL cv2 torch tensorflow networkx sympy bokeh xgboost lightgbm pypdf`.split(/\s+/),
);

export const processModules: ReadonlySet<string> = new Set([
  "subprocess",
  "multiprocessing",
  "concurrent",
  "threading",
  "pty",
  "pexpect",
  "sh",
]);

export const networkModules: ReadonlySet<string> = new Set([
  "socket",
  "ssl",
  "socketserver",
  "http",
  "ftplib",
  "smtplib",
  "imaplib",
  "poplib",
  "telnetlib",
  "xmlrpc",
  "requests",
  "httpx",
  "aiohttp",
  "urllib3",
  "websockets",
  "flask",
  "fastapi",
  "uvicorn",
]);

/** Parts of a module whose other parts are plain. */
export const networkParts: ReadonlySet<string> = new Set(["urllib.request"]);
export const processParts: ReadonlySet<string> = new Set(["concurrent.futures"]);
