"""Writes the variables that REQUEST names to files and prints where they are. All are looked at before one is written."""

import os

import pandas as pd


def as_frame(name):
    if name not in VARIABLES:
        raise NameError(f"there is no variable {name!r} in the kernel")
    value = VARIABLES[name]
    if isinstance(value, pd.DataFrame):
        return value
    if isinstance(value, pd.Series):
        return value.to_frame(name=value.name if value.name is not None else name)
    if isinstance(value, (list, dict)):
        return pd.DataFrame(value)
    raise TypeError(f"{name!r} is a {type(value).__name__}, not a table")


def write(frame, path, format):
    has_labels = not isinstance(frame.index, pd.RangeIndex)
    if format == "csv":
        frame.to_csv(path, index=has_labels)
    elif format == "json":
        table = frame.reset_index() if has_labels else frame
        table.to_json(path, orient="records", date_format="iso", force_ascii=False, indent=2)
    elif format == "xlsx":
        frame.to_excel(path, index=has_labels)
    else:
        table = frame.copy(deep=False)
        table.columns = [str(name) for name in table.columns]
        table.to_parquet(path)


frames = {name: as_frame(name) for name in REQUEST["variables"]}
for name, frame in frames.items():
    path = os.path.join(REQUEST["folder"], f"{name}.{REQUEST['format']}")
    write(frame, path, REQUEST["format"])
    print(f"{path}: {len(frame):,} rows, {os.path.getsize(path):,} bytes")
