"""Lists the differences between versions of robots.txt; one parser reads them all (requirement 142)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.robots.glob import Glob, parse_glob
from engine.robots.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Profile:
    """One version of the standard; as it stands here, RFC 9309 with the decisions C5 to C14."""

    name: str = "rfc9309"
    rules: frozenset[str] = frozenset({"allow", "disallow"})  # C14: the fields that are rules
    pattern: Callable[[str], Pattern | Glob] = Pattern.parse  # C6: how the path of a rule is read
    first_match: bool = False  # C5: of the rules that match the first decides, not the longest
    substring: bool = False  # C9: a name in the file may be part of the robot's
    merges_groups: bool = True  # C10: all groups that name the robot count, not only the first
    blank_line_ends_group: bool = False  # C12: a blank line ends the group
    several_on_a_line: bool = True  # C7, C8: several names, and several disallowed paths, on one line

    @property
    def empty_allows(self) -> bool:
        """Tells whether an empty Disallow allows everything: where order counts and Allow is known (C13)."""
        return self.first_match and "allow" in self.rules


RFC9309 = Profile()
# draft-koster-robots-00, 1996
V1 = Profile(
    name="v1",
    pattern=Pattern.literal,
    first_match=True,
    substring=True,
    merges_groups=False,
    blank_line_ends_group=True,
    several_on_a_line=False,
)
# A Standard for Robot Exclusion, 1994
V0 = replace(V1, name="v0", rules=frozenset({"disallow"}), several_on_a_line=True)
# An Extended Standard for Robot Exclusion, 1996
V2 = replace(V1, name="v2", pattern=parse_glob)
PROFILES = {profile.name: profile for profile in (V0, V1, V2, RFC9309)}


def find_profile(name: str) -> Profile:
    """Returns the profile of this name; ValueError when there is none."""
    if name not in PROFILES:
        raise ValueError(f"no profile is called {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]
