"""Counts bits in one instruction, within kernels."""

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from engine.kernels.types import I64, U64


def _bit_instruction(instruction: str, *flags: bool) -> Any:
    """Makes a function of a U64 that is one instruction, which takes these flags as well."""

    def typed(_context: Any, word: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            more = [ir.Constant(ir.IntType(1), flag) for flag in flags]
            return getattr(builder, instruction)(arguments[0], *more)

        return (I64(word), code) if word == U64 else None

    return intrinsic(typed)


count_ones = _bit_instruction("ctpop")
"""How many bits are 1."""

trailing_zeros = _bit_instruction("cttz", False)
"""How many bits lie below the lowest 1; 64 where there is none."""

leading_zeros = _bit_instruction("ctlz", False)
"""How many bits lie above the highest 1; 64 where there is none."""
