"""The sets of subsets that exhaustive routes share, against their definition."""

import pytest

from xpgcheck.oracles.propositional.bit_sets import holding, set_bits


@pytest.mark.parametrize("count", range(1, 8))
def test_the_subsets_that_hold_a_member(count: int) -> None:
    for position in range(count):
        assert list(set_bits(holding(position, count))) == [m for m in range(1 << count) if m >> position & 1]


@pytest.mark.parametrize("number", [0, 1, 2, 5, 0b1011000, 1 << 3000, (1 << 200) - 1])
def test_the_bits_of_a_number(number: int) -> None:
    found = list(set_bits(number))
    assert found == sorted(set(found))
    assert sum(1 << bit for bit in found) == number
