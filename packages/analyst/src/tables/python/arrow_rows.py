"""Rows of well-formed delimited text, read by pyarrow: quick, and sparing with memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv

from .dialect import Dialect

_BLOCK_BYTES = 4 * 1024 * 1024


class RowsRefused(Exception):
    """The text needs a reader that forgives more."""


def read_with_arrow(
    stream: Any, dialect: Dialect, max_bytes: int, size: int, may_skip_rows: bool, notes: list[str]
) -> tuple[list[pd.Series], bool]:
    """The columns, and whether rows were left for want of memory."""
    if not may_skip_rows:
        data = stream.read() if size <= _BLOCK_BYTES else None
    else:
        data = None
    if data is not None and not data.strip():
        return [_series(pa.chunked_array([], pa.large_string())) for _ in range(dialect.width)], False
    skipped: list[Any] = []

    def on_bad_row(row: Any) -> str:
        skipped.append(row)
        if not may_skip_rows or len(skipped) > 1_000_000:
            return "error"
        return "skip"

    keys = [str(number) for number in range(dialect.width)]
    batches: list[Any] = []
    used, is_cut = 0, False
    try:
        reader = arrow_csv.open_csv(
            pa.BufferReader(data) if data is not None else pa.PythonFile(stream, "r"),
            read_options=arrow_csv.ReadOptions(
                use_threads=False, block_size=max(_BLOCK_BYTES, len(data or b"") + 1), column_names=keys
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=dialect.separator,
                quote_char=dialect.quote or False,
                newlines_in_values=dialect.quote is not None,
                invalid_row_handler=on_bad_row,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(keys, pa.large_string()), strings_can_be_null=False
            ),
        )
        for batch in reader:
            used += batch.nbytes
            if batches and used > max_bytes:
                is_cut = True
                break
            batches.append(batch)
    except (pa.ArrowException, UnicodeError) as error:
        raise RowsRefused from error
    if skipped:
        notes.append(f"{len(skipped)} rows with too many or too few fields skipped, e.g. {skipped[0].text[:80]!r}")
    table = pa.Table.from_batches(batches, schema=reader.schema)
    return [_series(column) for column in table.columns], is_cut


def _series(column: Any) -> pd.Series:
    if hasattr(pd.arrays, "ArrowStringArray"):
        try:
            return pd.Series(pd.arrays.ArrowStringArray(column, dtype=pd.StringDtype("pyarrow", na_value=np.nan)))
        except TypeError:  # pandas before 3
            pass
    return column.to_pandas()
