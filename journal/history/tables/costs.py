"""The prices of recorded replies as a table, from which `usage.cost_usd` is computed.

Invariant: prices come from the same list and rule as in `journal usage`; a reply whose model is not
in the list has no row here, so its cost is NULL.
"""

from journal.history.tables.columns import joined
from journal.history.tables.engine import Engine
from journal.history.usage.prices import load_prices

_KEY = {
    "price_model": "VARCHAR",
    "price_day": "VARCHAR",
    "price_prompt": "BIGINT",
    "price_fast": "BOOLEAN",
}
_RATES = ("input", "output", "cache_write", "cache_write_1h", "cache_read")


def fill_rates(engine: Engine, home: str) -> None:
    """Create `_priced`, replies with what their price depends on, and `_rates`, their prices."""
    prices = load_prices(home)
    engine.run(
        joined("create or replace view _priced as select *,", prices.key_sql, "from _billed")
    )
    rows = []
    for *key, fast in engine.run(joined("select distinct", ",".join(_KEY), "from _priced")).all():
        if (rates := prices.rates(*key, fast=fast)) is not None:
            rows.append((*key, fast, *rates))
    engine.make_table("_rates", {**_KEY, **dict.fromkeys(_RATES, "DOUBLE")}, rows)
