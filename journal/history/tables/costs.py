"""The prices of recorded replies as a table, from which `usage.cost_usd` is computed.

Invariant: prices come from the same list and rule as in `journal usage`; a reply whose model is not
in the list has no row here, so its cost is NULL.
"""

from journal.history.tables.columns import joined
from journal.history.tables.engine import Engine
from journal.history.usage.prices import load_prices

_COLUMNS = {
    "model": "VARCHAR",
    "day": "VARCHAR",
    "size": "BIGINT",
    "fast": "BOOLEAN",
    "input": "DOUBLE",
    "output": "DOUBLE",
    "cache_write": "DOUBLE",
    "cache_write_1h": "DOUBLE",
    "cache_read": "DOUBLE",
}


def fill_rates(engine: Engine, home: str) -> None:
    """Create `_priced`, replies with what their price depends on, and `_rates`, their prices."""
    prices = load_prices(home)
    prompt = "input_tokens + cache_creation_input_tokens + cache_read_input_tokens"
    size = " + ".join(f"({prompt} > {size})::bigint" for size in prices.sizes) or "0::bigint"
    engine.run(
        joined(
            "create or replace view _priced as select *, coalesce(model, '') as price_model,",
            "strftime(ts, '%Y-%m-%d') as price_day, coalesce(speed, '') = 'fast' as price_fast,",
            size,
            "as price_size from _billed",
        )
    )
    keys = engine.run(
        "select distinct price_model, price_day, price_size, price_fast from _priced"
    ).all()
    rows = []
    for model, day, at, fast in keys:
        rates = prices.rates(model, day or "", prices.sizes[at - 1] + 1 if at else 0, fast=fast)
        if rates is not None:
            rows.append((model, day, at, fast, *rates))
    engine.make_table("_rates", _COLUMNS, rows)
