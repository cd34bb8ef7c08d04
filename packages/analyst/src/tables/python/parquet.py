"""Parquet files: typed already, so only what pandas handles badly is changed."""

from __future__ import annotations

import pandas as pd

from .delimited import NotATable
from .header import unique_names
from .inference import TableHints, sample_of
from .mixed_columns import to_column

_BATCH_ROWS = 64 * 1024


def read_parquet(path: str, max_bytes: int, hints: TableHints) -> tuple[pd.DataFrame, int]:
    """The table, and the rows of the whole file. Raises NotATable."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as parquet
    except ImportError:
        raise NotATable(
            "pyarrow's reader of Parquet files cannot be imported in this sandbox: "
            "run `pip install pyarrow`, or save the file as CSV"
        ) from None
    batches, used = [], 0
    try:
        with parquet.ParquetFile(path) as file:
            total = file.metadata.num_rows
            schema = file.schema_arrow
            for batch in file.iter_batches(_BATCH_ROWS, use_threads=False):
                batches.append(batch)
                used += batch.nbytes
                if used > max_bytes:
                    break
        frame = pa.Table.from_batches(batches, schema=schema).to_pandas(use_threads=False)
    except (pa.ArrowException, OSError, ValueError, NotImplementedError) as error:
        raise NotATable(f"it is not a sound Parquet file ({type(error).__name__})") from None
    batches.clear()
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    frame.columns, notes = unique_names(list(frame.columns), len(frame.columns))
    hints.notes.extend(notes)
    for name in frame.columns:
        frame[name] = _tidy(name, frame[name], hints)
    return frame, max(len(frame), total)


def _tidy(name: str, column: pd.Series, hints: TableHints) -> pd.Series:
    from . import dates

    if column.dtype == object:
        values = [item.tolist() if hasattr(item, "tolist") else item for item in column.tolist()]
        return to_column(name, values, hints)
    if isinstance(column.dtype, pd.StringDtype) and dates.may_be_dates(name, sample_of(column)):
        moments = dates.to_dates(name, column, hints)
        return column if moments is None else moments
    return column
