"""The Scrapy integration, the only package that imports Scrapy: `ADDONS = {"dupgroups.Addon": 300}`."""

from dupgroups.errors import MissingExtraError

try:
    from dupgroups.scrapy.pipeline import STATES, Addon, DupGroupsPipeline
except ModuleNotFoundError as error:
    if error.name not in ("scrapy", "itemadapter", "twisted"):
        raise
    raise MissingExtraError("scrapy", "The Scrapy pipeline") from error

__all__ = ["STATES", "Addon", "DupGroupsPipeline"]
