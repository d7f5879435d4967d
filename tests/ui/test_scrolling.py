"""The bar of a list stands where its rows do, however the list grew or shrank."""

import pytest

from inspector.ui.listing import Listing
from tests.ui.driving import running


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_bar_follows_a_list_that_was_too_short_for_one(size: tuple[int, int]) -> None:
    async with running("demo", "seq:346", size=size) as (app, pilot):
        rows = app.screen.query_one("#events", Listing)
        for words in ("tool", "summary", "turn", "error"):
            await pilot.press("f", *["backspace"] * 10, *words, "enter")
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert rows.show_vertical_scrollbar == (rows.source.count() > rows.size.height)
            if rows.show_vertical_scrollbar:
                bar = rows.vertical_scrollbar
                assert bar.position == rows.scroll_offset.y
                assert bar.window_virtual_size == rows.source.count()
