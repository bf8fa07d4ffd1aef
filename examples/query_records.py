"""Ten million games queried: ``python examples/query_records.py games.parquet`` (a file, or a folder of parts).

The file is one of ``tricktake rows skat:suit ... --out games.parquet``; DuckDB reads it as it is.
Of each query are shown its rows, its seconds and the bytes of the columns it looks at.
"""

# ruff: noqa: T201

import sys
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

JACKS = 0x80808080  # cards are bits: clubs 0 to 7, spades, hearts, diamonds; the jack is the last of its suit

QUERIES = {
    "how often each game is declared and won": (
        ["game", "won"],
        """SELECT ['clubs', 'spades', 'hearts', 'diamonds', 'grand', 'Null'][game + 1] AS game,
                  count(*) AS games, round(avg(won), 4) AS won
           FROM games WHERE game >= 0 GROUP BY ALL ORDER BY ALL""",
    ),
    "what the declarer's jacks are worth in suit games": (
        ["own", "game", "hand", "won", "eyes"],
        f"""SELECT bit_count(own & {JACKS}) AS jacks, count(*) AS games, round(avg(won), 4) AS won,
                   round(avg(eyes), 1) AS eyes
            FROM games WHERE game BETWEEN 0 AND 3 AND hand = 0 GROUP BY ALL ORDER BY ALL""",
    ),
    "points of each seat's declarer by final bid": (
        ["declarer", "bid", "value"],
        """SELECT bid, declarer, count(*) AS games, round(avg(value), 1) AS points
           FROM games WHERE bid BETWEEN 18 AND 24 AND value <> 0 GROUP BY ALL ORDER BY ALL""",
    ),
    "aces led to the first trick against a suit game: does the defence win more?": (
        ["cards", "declarer", "game", "eyes", "won"],
        """SELECT cards[1] % 8 = 6 AS ace, count(*) AS games, round(avg(1 - won), 4) AS defence
           FROM games WHERE game BETWEEN 0 AND 3 AND declarer <> 0 AND cards[1] % 8 <> 7 AND eyes >= 0
           GROUP BY ALL ORDER BY ALL""",
    ),
    "the dearest games that were lost, to be looked at one by one": (
        ["id", "game", "bid", "matadors", "eyes", "value"],
        "SELECT id, game, bid, matadors, eyes, value FROM games ORDER BY value, id LIMIT 3",
    ),
}


def size_of(files: list[Path], columns: list[str]) -> int:
    """Bytes of these columns in the files, compressed."""
    found = 0
    for file in files:
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            chunks = (metadata.row_group(group).column(i) for i in range(metadata.num_columns))
            found += sum(c.total_compressed_size for c in chunks if c.path_in_schema.partition(".")[0] in columns)
    return found


def main(path: str) -> None:
    """Ask all queries of a file or folder, and print what they found."""
    files = sorted(Path(path).glob("*.parquet")) if Path(path).is_dir() else [Path(path)]
    with duckdb.connect() as db:
        db.execute("SET threads = 1")
        db.read_parquet([str(file) for file in files]).create_view("games")
        ((count,),) = db.execute("SELECT count(*) FROM games").fetchall()
        print(f"{count:,} games, {sum(file.stat().st_size for file in files):,} bytes")
        for title, (columns, query) in QUERIES.items():
            start = time.perf_counter()
            rows = db.execute(query).fetchall()
            names = [column[0] for column in db.description]
            seconds = time.perf_counter() - start
            print(f"\n{title}: {seconds:.2f} s, {size_of(files, columns):,} bytes of {', '.join(columns)}")
            for row in [names, *rows]:
                print("  " + "  ".join(f"{cell!s:>9}" for cell in row))


if __name__ == "__main__":
    main(sys.argv[1])
