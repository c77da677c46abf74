"""Asks DuckDB every question of the cookbook and holds the answers against the tables printed there.

    cookbook.py FOLDER PAGE [--write]

FOLDER holds a survey `now` and one of other files, `before`. With --write the answers on the page are made anew.
"""

import re
import sys
from pathlib import Path

import duckdb

folder, page = Path(sys.argv[1]), Path(sys.argv[2])
ENTRY = re.compile(r"(```sql\n(?P<sql>.*?)\n```\n)(?P<answer>\n(?:\|[^\n]*\n)+)", re.DOTALL)


def cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace(f"{folder}/", "").replace("|", "\\|")


def answer(sql):
    asked = desk.sql(sql)
    rows = [asked.columns, ["---"] * len(asked.columns)] + [[cell(value) for value in row] for row in asked.fetchall()]
    return "\n" + "".join("| " + " | ".join(row) + " |\n" for row in rows)


desk = duckdb.connect()
for file in sorted((folder / "now").glob("*.parquet")):
    desk.sql(f"create view {file.stem} as select * from '{file}'")
for file in sorted((folder / "before").glob("*.parquet")):
    desk.sql(f"create view before_{file.stem} as select * from '{file}'")

text = page.read_text()
wrong, count = [], 0


def look(entry):
    global count
    count += 1
    told = answer(entry["sql"])
    if told != entry["answer"]:
        wrong.append(f"{entry['sql']}\non the page:{entry['answer']}found:{told}")
    return entry[1] + told


made = ENTRY.sub(look, text)
questions = text.count("```sql\n")
if "--write" in sys.argv:
    page.write_text(made)
elif count != questions:
    sys.exit(f"{questions} questions, {count} answers")
elif wrong:
    sys.exit("\n\n".join(wrong))
else:
    print(count)
