CREATE TABLE IF NOT EXISTS hosts (id INTEGER NOT NULL, host TEXT NOT NULL, robots BLOB, rechecked INTEGER,
    refreshed BOOLEAN, lease INTEGER, ready_at FLOAT, rest_until FLOAT, called BOOLEAN, machine TEXT, domain
    TEXT, twin TEXT, round INTEGER, soft_shape BLOB, soft_page TEXT, soft_at FLOAT, PRIMARY KEY (id), UNIQUE
    (host));
CREATE TABLE IF NOT EXISTS changes (seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL,
    UNIQUE (url));
CREATE TABLE IF NOT EXISTS blocks (id INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, reason
    TEXT NOT NULL, contact TEXT NOT NULL, at FLOAT NOT NULL, undone_at FLOAT, PRIMARY KEY (id));
CREATE TABLE IF NOT EXISTS suspects (id INTEGER NOT NULL, host TEXT NOT NULL, rule TEXT NOT NULL, kind TEXT
    NOT NULL, target TEXT NOT NULL, example TEXT NOT NULL, times INTEGER NOT NULL, run INTEGER NOT NULL,
    first_at FLOAT NOT NULL, last_at FLOAT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (id), UNIQUE (host,
    rule, target));
CREATE TABLE IF NOT EXISTS quarantine (id INTEGER NOT NULL, url TEXT NOT NULL, kinds TEXT NOT NULL, line
    INTEGER NOT NULL, found_at FLOAT NOT NULL, released_at FLOAT, PRIMARY KEY (id), UNIQUE (url));
CREATE TABLE IF NOT EXISTS submissions (id INTEGER NOT NULL, url TEXT NOT NULL, at FLOAT NOT NULL, outcome
    TEXT NOT NULL, PRIMARY KEY (id), UNIQUE (url));
CREATE TABLE IF NOT EXISTS runs (id INTEGER NOT NULL, kind TEXT NOT NULL, started_at FLOAT NOT NULL, beat_at
    FLOAT NOT NULL, ended_at FLOAT, reason TEXT NOT NULL, counters TEXT NOT NULL, examples TEXT, idle
    BOOLEAN, round INTEGER, sites TEXT, PRIMARY KEY (id));
CREATE TABLE IF NOT EXISTS urls (id INTEGER NOT NULL, url TEXT NOT NULL, host_id INTEGER NOT NULL, state
    TEXT NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL, parent_id INTEGER, found_at FLOAT NOT
    NULL, visited_at FLOAT, status INTEGER, reason TEXT NOT NULL, alias_of TEXT, fails INTEGER NOT NULL,
    missing_since FLOAT, etag TEXT NOT NULL, last_modified TEXT NOT NULL, bytes INTEGER NOT NULL, kind TEXT
    DEFAULT 'page' NOT NULL, listed BOOLEAN, priority FLOAT DEFAULT '0.5' NOT NULL, modified_at FLOAT, every
    FLOAT, due_at FLOAT, may_stand BOOLEAN, rest FLOAT, turn INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id),
    UNIQUE (url), FOREIGN KEY(host_id) REFERENCES hosts (id));
CREATE TABLE IF NOT EXISTS pages (url_id INTEGER NOT NULL, fetched_at FLOAT NOT NULL, language TEXT NOT
    NULL, media_type TEXT NOT NULL, fingerprint BLOB NOT NULL, content BLOB NOT NULL, expires_at FLOAT, flag
    TEXT, near_1 BIGINT, near_2 BIGINT, near_3 BIGINT, near_4 BIGINT, near_5 BIGINT, near_6 BIGINT, PRIMARY
    KEY (url_id), FOREIGN KEY(url_id) REFERENCES urls (id));
CREATE INDEX IF NOT EXISTS hosts_leased ON hosts (lease) WHERE lease IS NOT NULL;
CREATE INDEX IF NOT EXISTS hosts_refreshed ON hosts (id) WHERE refreshed;
CREATE INDEX IF NOT EXISTS hosts_of_domain ON hosts (domain);
CREATE INDEX IF NOT EXISTS hosts_called ON hosts (id) WHERE called;
CREATE INDEX IF NOT EXISTS hosts_rechecked ON hosts (id) WHERE rechecked IS NOT NULL;
CREATE INDEX IF NOT EXISTS blocks_undone ON blocks (undone_at) WHERE undone_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS submissions_outcome ON submissions (outcome);
CREATE INDEX IF NOT EXISTS runs_alive ON runs (id) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS urls_aliases ON urls (alias_of) WHERE alias_of IS NOT NULL;
CREATE INDEX IF NOT EXISTS urls_in_turn ON urls (host_id, fails, turn, depth, priority DESC, id) WHERE state
    = 'queued';
CREATE INDEX IF NOT EXISTS urls_seeds ON urls (id) WHERE depth = 0;
CREATE INDEX IF NOT EXISTS urls_of_host ON urls (host_id);
CREATE INDEX IF NOT EXISTS urls_forced ON urls (id) WHERE reason = 'forced';
CREATE INDEX IF NOT EXISTS pages_flagged ON pages (flag) WHERE flag IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_near_2 ON pages (near_2) WHERE near_2 IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_that_expire ON pages (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_near_4 ON pages (near_4) WHERE near_4 IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_near_5 ON pages (near_5) WHERE near_5 IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_near_6 ON pages (near_6) WHERE near_6 IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_pages_fingerprint ON pages (fingerprint);
CREATE INDEX IF NOT EXISTS pages_near_1 ON pages (near_1) WHERE near_1 IS NOT NULL;
CREATE INDEX IF NOT EXISTS pages_near_3 ON pages (near_3) WHERE near_3 IS NOT NULL;
