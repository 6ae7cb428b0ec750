"""Scrapy's settings: the order of the stations, and safe defaults with their reasons."""

import sys

from engine.command_modules import find_command_module

BOT_NAME = "lycosa"
SPIDER_MODULES = ["spiders"]  # own spiders may lie there, too
COMMANDS_MODULE = find_command_module(sys.argv)
# Named, not imported: engine knows none of its siblings.
SPIDER_BASE = "spiders.lycosa.LycosaSpider"  # of all that crawl
ROBOTS_SPIDER = "spiders.robots.RobotsSpider"
PAGE_SPIDER = "spiders.page.PageSpider"
SEARCH_APP = "search_ui.app.serve"
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
# Scrapy adds an operator's own to each *_BASE: ITEM_PIPELINES and its like, without _BASE, are theirs.
ITEM_PIPELINES_BASE = {f"pipelines.{station}": 100 * n for n, station in enumerate(WALK, 1)}
ITEM_PROCESSOR = "engine.plugins.visit_pipelines.VisitPipelines"

# The way of a request to the network. Scrapy's own are left out: robots.txt, redirects and
# retries are the frontier's business, cookies those of a host's login (engine.login), and a proxy
# named in the environment would get round the address guard.
DOWNLOADER_MIDDLEWARES_BASE = {
    "engine.middleware.robots_txt.RobotsTxtMiddleware": 100,
    "engine.middleware.decompress.DecompressionMiddleware": 200,
    "engine.middleware.journal.JournalMiddleware": 300,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": 900,  # nearest to the network
}
SPIDER_MIDDLEWARES_BASE = {
    "engine.plugins.spider_hooks.SpiderHooksMiddleware": 50,
    "engine.middleware.meta_robots.MetaRobotsMiddleware": 100,
    "engine.render.middleware.RenderingMiddleware": 150,
    "engine.middleware.reading.ReadingMiddleware": 200,  # nearer to the spider: first
}
EXTENSIONS_BASE = {  # of Scrapy's two are ports that run code: telnet and remote control
    "scrapy.extensions.corestats.CoreStats": 0,
    "engine.middleware.media_type_filter.MediaTypeFilter": 100,
    "engine.middleware.body_limit.BodyLimit": 110,
    "engine.middleware.progress_display.ProgressDisplay": 200,
    "engine.middleware.alert_timer.AlertTimer": 300,
    "engine.plugins.item_feeds.ItemFeeds": 400,
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
