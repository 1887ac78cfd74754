"""What the other programs do, run by the Python they are installed in; `benchmarks.peers` calls it.

It stands alone: their pins are not ours. Arguments: what to do, a Parquet file, k. The result is
one JSON object on stdout.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import pandas as pd

QUASI_IDENTIFIERS = ["age", "sex", "zip", "education"]
SENSITIVE = "disease"


def pycanon(table: pd.DataFrame, k: int) -> dict[str, Any]:
    """Measure k, l and t of a published table."""
    from pycanon import anonymity

    return {
        "k": int(anonymity.k_anonymity(table, QUASI_IDENTIFIERS)),
        "l": int(anonymity.l_diversity(table, QUASI_IDENTIFIERS, [SENSITIVE])),
        "t": float(anonymity.t_closeness(table, QUASI_IDENTIFIERS, [SENSITIVE])),
    }


def anonypy(table: pd.DataFrame, k: int) -> dict[str, Any]:
    """Form classes of k by Mondrian."""
    import anonypy as program

    for name in ("sex", SENSITIVE):
        table[name] = table[name].astype("category")
    preserver = program.Preserver(table, QUASI_IDENTIFIERS, SENSITIVE)
    return {"rows": len(preserver.anonymize_k_anonymity(k=k))}


def anjana(table: pd.DataFrame, k: int) -> dict[str, Any]:
    """Generalize whole columns until classes have k, at most 5 % suppressed."""
    from anjana.anonymity import k_anonymity

    def bands(name: str, *widths: int) -> dict[int, Any]:
        values = table[name].to_numpy()
        coarser = {
            level: [f"from {value // width * width}" for value in values]
            for level, width in enumerate(widths, 1)
        }
        return {0: values, **coarser, len(widths) + 1: ["*"] * len(values)}

    hierarchies = {
        "age": bands("age", 5, 10, 20, 40),
        "zip": bands("zip", 10, 100, 1000, 10000),
        "education": bands("education", 2, 4, 8),
        "sex": {0: table["sex"].to_numpy(), 1: ["*"] * len(table)},
    }
    return {"rows": len(k_anonymity(table, [], QUASI_IDENTIFIERS, k, 5, hierarchies))}


def main() -> None:
    """Read the table, do it, tell how long it took without the reading."""
    what, path, k = sys.argv[1:]
    table = pd.read_parquet(path)
    started = time.perf_counter()
    found = {"pycanon": pycanon, "anonypy": anonypy, "anjana": anjana}[what](table, int(k))
    print(json.dumps({"seconds": time.perf_counter() - started, **found}))


if __name__ == "__main__":
    main()
