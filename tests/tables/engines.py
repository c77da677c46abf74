"""How many rows each engine finds in the tables of a folder, and how many of each column are nothing: a JSON object."""

import json
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow.parquet


def by_duckdb(file):
    whole = f"'{file}'"
    rows = duckdb.sql(f"select count(*) from {whole}").fetchall()[0][0]
    columns = [row[0] for row in duckdb.sql(f"describe select * from {whole}").fetchall()]
    missing = {name: rows - duckdb.sql(f'select count("{name}") from {whole}').fetchall()[0][0] for name in columns}
    return {"rows": rows, "missing": missing}


def by_polars(file):
    frame = polars.read_parquet(file)
    return {"rows": frame.height, "missing": {name: frame[name].null_count() for name in frame.columns}}


def by_pyarrow(file):
    table = pyarrow.parquet.read_table(file)
    missing = {name: table.column(name).null_count for name in table.column_names}
    return {"rows": table.num_rows, "missing": missing}


engines = {"duckdb": by_duckdb, "polars": by_polars, "pyarrow": by_pyarrow}
folder = Path(sys.argv[1])
tables = sorted(folder.glob("*.parquet"))
json.dump({file.stem: {name: ask(file) for name, ask in engines.items()} for file in tables}, sys.stdout)
