"""Finds the names of a segment's pages."""

import numpy as np

from engine.index.lexicon.lexicon import NameCandidate, PageKey
from engine.index.lexicon.name_weights import KIND_WEIGHTS, MAX_KEPT, weigh_names
from engine.index.reader import Documents, Leaf, Member, Scores
from engine.index.schema import ANCHOR, BEHIND, MAX_FOLDED, NAMES, fold_name, fold_whole_name

# Names of a segment for one beginning, 5 ms; of more, as after one letter, some here and there.
MAX_READ = 32_768
AT_ONCE = 2_048  # of these read at each of the places

_WEIGHTS = np.zeros(256, np.float32)
for _kind, _weight in KIND_WEIGHTS.items():
    _WEIGHTS[ord(_kind)] = _weight


def find_segment_names(member: Member, votes: Scores, beginning: str) -> list[NameCandidate]:
    """Finds the best names of a segment, MAX_KEPT of each AT_ONCE; `votes` are those of its documents."""
    leaf = member.leaf
    terms = leaf.numbers_with_prefix(NAMES, beginning[:MAX_FOLDED])
    if member.alive is not None:
        votes = np.where(member.alive, votes, np.float32(-1))
    found: list[NameCandidate] = []
    for some in _sample_terms(terms):
        octets, ends = leaf.dictionary.between(some.start, some.stop)
        postings, counts = leaf.postings_of_terms(some)
        ends_of = np.cumsum(counts)
        most = np.maximum.reduceat(votes[postings.documents], ends_of - counts)
        weights = weigh_names(_WEIGHTS[octets[ends - 2]], most, counts)
        best = np.argsort(-weights, kind="stable")[:MAX_KEPT]
        for at in best[weights[best] > 0].tolist():
            term = octets[ends[at - 1] if at else 0 : ends[at] - 2].tobytes().decode("utf-8", "replace")
            name = term.partition(BEHIND)[2]
            if len(beginning) <= MAX_FOLDED or beginning in fold_name(name):
                of_name = postings.documents[ends_of[at] - counts[at] : ends_of[at]]
                host, page = _read_host(leaf, of_name), _only_page(member, of_name)
                found.append(NameCandidate(float(weights[at]), name, host, page))
    return found


def find_linked(member: Member, called: str) -> Documents:
    """Finds the documents of a segment to which most links lead with these words."""
    leaf = member.leaf
    found = [np.empty(0, np.int32)]
    for number in leaf.numbers_with_prefix(NAMES, f"{called[:MAX_FOLDED]}{BEHIND}"):
        octets = leaf.dictionary.between(number, number + 1).octets.tobytes()
        name = octets.decode("utf-8", "replace").partition(BEHIND)[2].rstrip("\n")
        if name.endswith(ANCHOR) and fold_whole_name(name.removesuffix(ANCHOR)) == called:
            postings = leaf.postings_of_terms(range(number, number + 1))[0]
            found.append(member.to_snapshot(postings.documents))
    return np.concatenate(found)


def _read_host(leaf: Leaf, documents: Documents) -> str:
    """Reads the host of the last of a term's documents."""
    of_host = leaf.column("host")
    return of_host.names[int(of_host.numbers[documents[-1]])]


def _only_page(member: Member, documents: Documents) -> PageKey | None:
    """Returns the key of the one of the documents that is left, None where several are."""
    left = documents if member.alive is None else documents[member.alive[documents]]
    return (member.name, int(left[0])) if len(left) == 1 else None


def _sample_terms(terms: range) -> list[range]:
    """Samples terms: all, or AT_ONCE at places that are evenly far from each other."""
    step = AT_ONCE * max(1, -(-len(terms) // MAX_READ))
    return [terms[start : start + AT_ONCE] for start in range(0, len(terms), step)]
