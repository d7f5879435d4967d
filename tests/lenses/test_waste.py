"""What a prompt cache could have served and did not."""

from inspector.lenses.waste import FLOOR, Cause, Miss, Prompt, misses

PROMPTS = (8_200, 11_400, 14_100, 16_300, 18_000, 17_600)
READS = (0, 8_200, 11_400, 0, 16_300, 5_100)
GAPS = (0, 15, 20, 38 * 60, 10, 12)


def _prompts() -> list[Prompt]:
    time = 1_000_000
    found = []
    for tokens, read, gap in zip(PROMPTS, READS, GAPS, strict=True):
        time += gap * 1_000
        found.append(Prompt(tokens, read, 0, time, anew=False))
    return found


def test_a_prefix_that_expired_and_one_that_was_rewritten() -> None:
    assert misses(_prompts()) == [
        None,
        None,
        None,
        Miss(14_100, 2_280.0, Cause.TTL),
        None,
        Miss(12_500, 12.0, Cause.REWRITE),
    ]


def test_with_a_longer_time_to_live_nothing_expired() -> None:
    found = misses(_prompts(), ttl=3_600)
    assert [miss.cause for miss in found if miss] == [Cause.REWRITE, Cause.REWRITE]


def test_a_provider_that_never_reports_loses_nothing() -> None:
    silent = [prompt._replace(cache_read=0) for prompt in _prompts()]
    assert misses(silent) == [None] * 6


def test_once_a_provider_has_reported_nothing_read_is_a_miss() -> None:
    prompts = [Prompt(9_000, 0, 9_000, None, False), Prompt(9_500, 0, 0, None, False)]
    assert misses(prompts) == [None, Miss(9_000, None, Cause.REWRITE)]


def test_behind_a_compaction_nothing_is_lost() -> None:
    prompts = _prompts()
    prompts[3] = prompts[3]._replace(anew=True)
    assert misses(prompts)[3] is None


def test_what_is_below_the_floor_was_never_cached() -> None:
    prompts = [Prompt(5_000, 0, 5_000, None, False), Prompt(5_000, 5_000 - FLOOR, 0, None, False)]
    assert misses(prompts)[1] is None
    prompts[1] = prompts[1]._replace(cache_read=5_000 - FLOOR - 1)
    assert misses(prompts)[1] == Miss(FLOOR + 1, None, Cause.REWRITE)


def test_a_clock_that_goes_back_is_no_idle_time() -> None:
    prompts = _prompts()
    prompts[3] = prompts[3]._replace(time=0)
    assert misses(prompts)[3] == Miss(14_100, 0.0, Cause.REWRITE)
