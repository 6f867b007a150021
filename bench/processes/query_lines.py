"""Queries of log lines by DuckDB and Polars, for bench/parts.ts: MODULE select|where|count FILE."""

import sys

module, query, file = sys.argv[1:]

# No character of the lines: each is the only column of its row.
SEPARATOR = "\x01"


def run_duckdb():
    import duckdb

    if query == "count":
        errors = "FROM read_csv('/dev/stdin', header = true, all_varchar = true)"
        if file != "/dev/stdin":
            columns = "{logger: 'VARCHAR', timestamp: 'VARCHAR', level: 'VARCHAR'}"
            errors = f"FROM read_json('{file}', format = 'newline_delimited', columns = {columns}) WHERE level = 'error'"
        counts = f"SELECT logger, timestamp[:16] AS minute, count(*) {errors} GROUP BY ALL ORDER BY ALL"
        duckdb.execute(f"COPY ({counts}) TO '/dev/stdout' (FORMAT csv, HEADER false, DELIMITER '\t')")
        return
    columns = "{timestamp: 'VARCHAR', message: 'VARCHAR', http: 'STRUCT(status BIGINT)'}"
    selected = f"FROM read_json('{file}', format = 'newline_delimited', columns = {columns})"
    lines = f"SELECT json FROM read_ndjson_objects('{file}') WHERE json ->> '$.level' = 'error'"
    as_lines = f"FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '{SEPARATOR}'"
    source, form = (selected, "FORMAT json") if query == "select" else (lines, as_lines)
    duckdb.sql(f"COPY ({source}) TO '/dev/stdout' ({form})")


def run_polars():
    import polars as pl

    if query == "select":
        status = pl.Struct({"status": pl.Int64})
        schema = pl.Schema({"timestamp": pl.String, "message": pl.String, "http": status})
        pl.scan_ndjson(file, schema=schema).sink_ndjson(sys.stdout.buffer)
        return
    line = pl.col("line")
    lines = pl.scan_csv(
        file, has_header=False, separator=SEPARATOR, quote_char=None, schema={"line": pl.String}
    )
    # A third faster than json_path_match.
    level = line.str.json_decode(pl.Struct({"level": pl.String})).struct.field("level")
    lines.filter(level == "error").sink_csv(
        sys.stdout.buffer, include_header=False, quote_style="never", separator=SEPARATOR
    )


{"duckdb": run_duckdb, "polars": run_polars}[module]()
