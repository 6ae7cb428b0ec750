"""Scrapy's settings: the order of the stations, and safe defaults with their reasons."""

import sys

from engine.command_modules import find_command_module

BOT_NAME = "lycosa"
SPIDER_MODULES = ["spiders.web", "spiders.robots"]
COMMANDS_MODULE = find_command_module(sys.argv)
SEARCH_APP = "search_ui.app.serve"  # named, not imported: engine knows none of its siblings
SEARCH_WORKERS = "search_ui.workers.serve_workers"  # the same, by several processes

# Ours. -s NAME=VALUE on any command changes them.
DATA_DIR = "data"
CRAWL_TOML = "crawl.toml"
CONTACT = ""
PUBLIC_URL = ""
ALLOW_PRIVATE = ""

# The walk of a page after the META gate, in the order of engine.crawl.walk; each station hands a visit
# to the next.
WALK = (
    "quarantine.QuarantinePipeline",
    "canonical.CanonicalPipeline",
    "soft_404.Soft404Pipeline",
    "fingerprint.FingerprintPipeline",
    "store.StorePipeline",
    "index.IndexPipeline",
)
ITEM_PIPELINES = {f"pipelines.{station}": 100 * n for n, station in enumerate(WALK, 1)}

# The way of a request to the network. Scrapy's own are left out: robots.txt, redirects and
# retries are the frontier's business, cookies those of a host's login (engine.login), and a proxy
# named in the environment would get round the address guard.
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}
DOWNLOADER_MIDDLEWARES = {
    "engine.middleware.robots_txt.RobotsTxtMiddleware": 100,
    "engine.middleware.decompress.DecompressionMiddleware": 200,
    "engine.middleware.journal.JournalMiddleware": 300,
}
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
SPIDER_MIDDLEWARES = {
    "engine.middleware.meta_robots.MetaRobotsMiddleware": 100,
    "engine.middleware.reading.ReadingMiddleware": 200,  # nearer to the spider: first
}
EXTENSIONS_BASE: dict[str, int] = {}  # among them two ports that run code: telnet and remote control
EXTENSIONS = {
    "engine.middleware.media_type_filter.MediaTypeFilter": 100,
    "engine.middleware.body_limit.BodyLimit": 110,
    "engine.middleware.progress_display.ProgressDisplay": 200,
    "engine.middleware.alert_timer.AlertTimer": 300,
}
DOWNLOAD_HANDLERS_BASE = {
    "http": "engine.middleware.private_sites.PrivateSiteDownloader",
    "https": "engine.middleware.private_sites.PrivateSiteDownloader",
}  # no file:, data:, ftp:, s3:
TWISTED_DNS_RESOLVER = "engine.middleware.address_guard.GuardedResolver"
DOWNLOAD_VERIFY_CERTIFICATES = True  # who does not check might index anybody's words as the site's

# Pace is the frontier's; these caps, and the brake, hold even if the frontier is wrong.
SCHEDULER = "engine.middleware.scheduler.FrontierScheduler"
ROBOTSTXT_OBEY = False  # Scrapy's lets all through where robots.txt answers 401, 403, 429, 5xx or nothing
# Answers that are waited for at once. With 64, a thousand hosts that take 0.3 s are asked 200 times a
# second at most, and wait for each other. Bodies under way take some 13 MB (50 kB each), at worst this many
# times DOWNLOAD_MAXSIZE.
CONCURRENT_REQUESTS = 256
CONCURRENT_REQUESTS_PER_DOMAIN = 8
DOWNLOAD_DELAY = 0
CONCURRENT_ITEMS = 1  # more would start as many tasks for every response, whatever it yields

DOWNLOAD_TIMEOUT = 30  # seconds; people wait less for a page
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024  # bytes of body, packed or unpacked; Scrapy allows 1 GiB
DOWNLOAD_WARNSIZE = 0
# What a cut answer is good for depends on what it is (engine.middleware.fetching).
DOWNLOAD_FAIL_ON_DATALOSS = False
DNSCACHE_SIZE = 10_000

LOG_LEVEL = "INFO"
LOG_INSTALL_ROOT_HANDLER = False  # the commands do
LOG_FORMATTER = "engine.middleware.log_formatter.QuietLogFormatter"
LOG_VERSIONS: list[str] = []
STATS_DUMP = False
WARN_ON_GENERATOR_RETURN_VALUE = False  # reads every callback's source
