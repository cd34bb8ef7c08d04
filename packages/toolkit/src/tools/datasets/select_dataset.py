"""Loads the table that REQUEST names into VARIABLES and prints what it is."""

import codecs
import csv
import re
import warnings

import pandas as pd

PROBE_BYTES = 1 << 16
DATE_SHARE = 0.9
PAIR_SHARE = 0.9


def load(path, format, sheet):
    if format in ("csv", "tsv"):
        return load_text(path, "\t" if format == "tsv" else None)
    if format == "excel":
        return pd.read_excel(path, sheet_name=0 if sheet is None else sheet)
    if format == "parquet":
        return pd.read_parquet(path)
    return pd.read_json(path, lines=format == "jsonl")


def load_text(path, separator):
    reasons = []
    for encoding in encodings_of(path):
        try:
            chosen = separator or sniff_separator(path, encoding)
            return pd.read_csv(path, sep=chosen, encoding=encoding)
        except UnicodeError as error:
            reasons.append(error)
    raise reasons[-1]


def encodings_of(path):
    with open(path, "rb") as file:
        sample = file.read(PROBE_BYTES)
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    # Chinese comes in pairs of high bytes; accented letters stand alone.
    high = sum(byte >= 0x80 for byte in sample)
    pairs = len(re.findall(rb"[\xa1-\xf7][\xa1-\xfe]", sample))
    is_chinese = high > 0 and 2 * pairs >= PAIR_SHARE * high
    return ("utf-8-sig", *(("gb18030",) if is_chinese else ()), "cp1252", "latin-1")


def sniff_separator(path, encoding):
    if not path.lower().endswith((".csv", ".txt")):
        return ","  # Compressed.
    with open(path, encoding=encoding, newline="") as file:
        sample = file.read(PROBE_BYTES)
    try:
        return csv.Sniffer().sniff(sample, delimiters=",;\t|").delimiter
    except csv.Error:
        return ","


def parse_dates(frame):
    for name in frame.columns:
        column = frame[name]
        if column.dtype != object and not pd.api.types.is_string_dtype(column):
            continue
        given = column.dropna()
        if given.empty or not given.head(200).map(looks_like_date).all():
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = pd.to_datetime(column, errors="coerce")
        if parsed.notna().sum() >= DATE_SHARE * len(given):
            frame[name] = parsed


def looks_like_date(value):
    text = str(value)
    return 8 <= len(text) <= 35 and text[:1].isdigit() and sum(text.count(mark) for mark in "-/.:") >= 2


def describe(frame, variable, path):
    print(f"{variable}: {path}, {len(frame):,} rows, {len(frame.columns)} columns")
    for name in list(frame.columns)[:100]:
        missing = int(frame[name].isna().sum())
        print(f"  {str(name)!r}: {frame[name].dtype}" + (f", {missing:,} missing" if missing else ""))
    if len(frame.columns) > 100:
        print(f"  … and {len(frame.columns) - 100} more columns")
    print(frame.head(3).to_string(max_cols=20, max_colwidth=40))


frame = load(REQUEST["path"], REQUEST["format"], REQUEST["sheet"])
parse_dates(frame)
VARIABLES[REQUEST["variable"]] = frame
describe(frame, REQUEST["variable"], REQUEST["path"])
