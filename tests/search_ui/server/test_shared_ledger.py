"""What clients use of their shares, over several workers."""

from ipaddress import ip_address

from hypothesis import given
from hypothesis import strategies as st

from search_ui.server.clients import Client, NetworkKey
from search_ui.server.connections import MAX_CONNECTIONS, PROXIES, ConnectionLimiter
from search_ui.server.ledger import Ledger, Share
from search_ui.server.limits import TokenBuckets
from search_ui.server.metrics import RequestMetrics
from search_ui.server.shared_ledger import SharedLedger, SharedMemory

WORKERS = 3
CLIENTS: list[NetworkKey] = [
    *(Client(ip_address(text)).network_key for text in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "::")),
    Client(ip_address("0.0.0.0")).network_key,
    Client(None).network_key,
]


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def ledgers(memory: SharedMemory, clock: Clock) -> list[SharedLedger]:
    return [SharedLedger(memory, worker, clock) for worker in range(WORKERS)]


STEPS = st.tuples(
    st.integers(0, WORKERS - 1), st.sampled_from(CLIENTS), st.sampled_from([0.0, 0.2, 3.0]), st.booleans()
)


@given(st.lists(STEPS, max_size=60))
def test_buckets_are_those_of_one_process(
    steps: list[tuple[int, NetworkKey, float, bool]],
) -> None:
    clock = Clock()
    shared = [ledger.limit(Share.REQUESTS, 2, 5) for ledger in ledgers(SharedMemory(WORKERS), clock)]
    alone = Ledger(clock).limit(Share.REQUESTS, 2, 5)
    for worker, client, pause, gives_back in steps:
        clock.now += pause
        assert shared[worker].take(client) == alone.take(client)
        if gives_back:
            shared[(worker + 1) % WORKERS].put_back(client)
            alone.put_back(client)


def test_shares_take_nothing_from_each_other() -> None:
    ledger = SharedLedger(SharedMemory(1), 0, Clock())
    for buckets in [ledger.limit(share, 1, 1) for share in Share]:
        assert [buckets.take(CLIENTS[0]) for _ in range(2)] == [0.0, 1.0]


def test_wrong_numbers_of_a_killed_worker_heal() -> None:
    """A bucket of the future is empty, for once."""
    clock, memory = Clock(), SharedMemory(1)
    clock.now = 1e300
    buckets: TokenBuckets = SharedLedger(memory, 0, clock).limit(Share.REQUESTS, 1, 2)
    assert not buckets.take(CLIENTS[0])
    clock.now = 1_000.0
    waits = list[float]()
    for _ in range(4):
        waits.append(buckets.take(CLIENTS[0]))
        clock.now += 1
    assert waits == [0.0, 0.0, 0.0, 0.0]


def test_connections_of_all_workers_are_one_share() -> None:
    memory = SharedMemory(WORKERS)
    limiters = [
        ConnectionLimiter(max_per_client=4, counts=ledger.connections) for ledger in ledgers(memory, Clock())
    ]
    slots = [limiters[n % WORKERS].acquire(CLIENTS[0], lambda: None) for n in range(5)]
    assert [slot.is_spare for slot in slots] == [False] * 4 + [True]
    assert not limiters[1].acquire(CLIENTS[1], lambda: None).is_spare, "another client"
    assert not any(limiters[1].acquire(PROXIES, lambda: None).is_spare for _ in range(9)), "who have no share"
    limiters[0].release(slots[0])
    assert limiters[1].admit(slots[4]), "there is room again, in whichever worker"


def test_an_idle_connection_of_the_same_worker_gives_way() -> None:
    memory = SharedMemory(2)
    one, other = (
        ConnectionLimiter(max_per_client=2, counts=SharedLedger(memory, n).connections) for n in (0, 1)
    )
    closed = list[str]()
    for limiter, name in ((one, "one"), (other, "other")):
        slot = limiter.acquire(CLIENTS[0], lambda name=name: closed.append(name))  # type: ignore[misc]
        limiter.start_deadline(slot, 1.0)
    assert not one.acquire(CLIENTS[0], lambda: None).is_spare
    assert closed == ["one"]


def test_connections_of_a_dead_worker_are_forgotten() -> None:
    memory = SharedMemory(2)
    one, other = (SharedLedger(memory, number).connections for number in (0, 1))
    for _ in range(3):
        assert one.add(CLIENTS[0], 4)
    assert other.add(CLIENTS[0], 4)
    assert not other.add(CLIENTS[0], 4)
    memory.forget_connections(0)
    assert other.count(CLIENTS[0]) == 1
    memory.forget_connections(1)
    assert one.count(CLIENTS[0]) == 0
    one.remove(CLIENTS[0])
    assert one.count(CLIENTS[0]) == 0, "who leaves after it was forgotten takes nothing from others"


def test_every_connection_of_every_worker_is_counted() -> None:
    """Each of another client: nearly all sets have room."""
    memory = SharedMemory(2)
    counts = [SharedLedger(memory, number).connections for number in (0, 1)]
    clients = [(4, number) for number in range(2 * MAX_CONNECTIONS)]
    for client in clients:
        assert counts[client[1] % 2].add(client, 1)
    assert sum(counts[0].count(client) for client in clients) >= 0.95 * len(clients)


@given(
    st.lists(
        st.tuples(
            st.integers(0, WORKERS - 1),
            st.sampled_from(["/", "/search", "/" + 70 * "x"]),
            st.sampled_from([200, 404, 500]),
            st.sampled_from([0.0, 0.25, 9.0]),
        ),
        max_size=40,
    )
)
def test_metrics_are_the_sum(steps: list[tuple[int, str, int, float]]) -> None:
    memory, alone = SharedMemory(WORKERS), RequestMetrics()
    counts = [ledger.metrics for ledger in ledgers(memory, Clock())]
    for worker, route, status, seconds in steps:
        counts[worker].add(route, status, seconds)
        alone.add(route[:60], status, seconds)  # of a name of 64 bytes, four are status and space
    successor = SharedLedger(memory, 1)
    successor.metrics.add("/", 200, 0.25)
    alone.add("/", 200, 0.25)
    for each in (*counts, successor.metrics):
        assert [*each.format_lines()] == [*alone.format_lines()]
