"""The Scrapy integration, the only package that imports Scrapy: `ADDONS = {"dupgroups.Addon": 300}`."""

from dupgroups.item_pipelines.pipeline import STATES, Addon, DupGroupsPipeline

__all__ = ["STATES", "Addon", "DupGroupsPipeline"]
