"""A text that is kept as octets is cut by characters."""

from hypothesis import given
from hypothesis import strategies as st

from engine.text.tokens.utf8 import BLOCK, Utf8

LETTERS = st.text(st.sampled_from("a żя龟🐢\u0301\n"), min_size=1, max_size=40)


@given(LETTERS, st.integers(0, 3 * BLOCK // 8), st.integers(0, 4 * BLOCK), st.integers(0, 4 * BLOCK))
def test_it_is_cut_as_a_string_is(some: str, times: int, start: int, end: int) -> None:
    whole = some * times
    text = Utf8(whole.encode())
    assert text.size == len(whole)
    assert text.substring(start, end) == whole[start:end]
    assert text.first_octets(start).tobytes().decode() == whole[:start]


@given(LETTERS, st.integers(0, BLOCK))
def test_each_block_knows_how_many_characters_begin_before_it(some: str, times: int) -> None:
    octets = (some * times).encode()
    begun = [sum(octet & 0xC0 != 0x80 for octet in octets[:at]) for at in range(0, len(octets) + 1, BLOCK)]
    assert Utf8(octets).blocks.tolist() == [*begun, len(some * times)]
