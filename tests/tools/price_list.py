"""Write journal/history/usage/prices.json from the package `genai-prices`, for `journal-dev prices`.

The package needs pydantic and an HTTP client and takes 0.9 s to import; the file is 5 kB. It has
Anthropic's prices in USD per million tokens, with their dates, their price above a prompt size, and
fast mode. A test compares file and package if the package is installed.
"""

from __future__ import annotations

import importlib.metadata
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from journal.transcript.threshold import family

FILE = Path(__file__).resolve().parents[2] / "journal" / "history" / "usage" / "prices.json"
KINDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "cache_read": "cache_read_mtok",
}


def prices_of(package: Any) -> dict[str, float | int]:
    """Return the prices of one period; `above` has those from a prompt size on."""
    found: dict[str, Any] = {}
    for name, member in KINDS.items():
        price = getattr(package, member)
        if price is None:
            continue
        found[name] = _number(getattr(price, "base", price))
        for tier in getattr(price, "tiers", ()):
            found.setdefault("above", {"tokens": tier.start})[name] = _number(tier.price)
    return found


def collected() -> dict[str, Any]:
    """Return the whole list in the form of the file."""
    from genai_prices.data import providers

    (anthropic,) = [provider for provider in providers if provider.id == "anthropic"]
    models: dict[str, Any] = {}
    for model in anthropic.models:
        given = model.prices if isinstance(model.prices, list) else [model]
        periods = []
        for item in given:
            start = getattr(getattr(item, "constraint", None), "start_date", None)
            period = {"from": start.isoformat()} if start else {}
            periods.append({**period, **prices_of(item.prices)})
        entry: dict[str, Any] = {
            "prices": sorted(periods, key=lambda period: period.get("from", ""))
        }
        for variant in model.price_variants or ():
            if variant.when == {"speed": "fast"}:
                entry["fast"] = prices_of(variant.prices)
        models[family(model.id.removesuffix("-latest"))] = entry
    version = importlib.metadata.version("genai-prices")
    today = datetime.now(UTC).date().isoformat()
    return {
        "source": f"genai-prices {version}",
        "date": today,
        "models": dict(sorted(models.items())),
    }


def _number(value: Any) -> float | int:
    return int(value) if value == int(value) else float(value)


def main() -> None:
    """Write the file."""
    rows = collected()
    body = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows["models"].items()
    )
    FILE.write_text(
        f'{{"source": {json.dumps(rows["source"])}, "date": "{rows["date"]}", "models": {{\n{body}\n}}}}\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
