"""Reads a thread's files as tables and describes them. Runs inside a sandbox, on pandas; pyarrow makes it quick."""
