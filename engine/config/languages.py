"""Parses the languages of OCR in crawl.toml."""

import re

_NAME = re.compile(r"(?:script/)?[A-Za-z]+(?:_[A-Za-z]+)*")  # tesseract(1), LANGUAGES AND SCRIPTS


def parse_ocr_language(word: str) -> str:
    """Checks the name of a language as Tesseract has it. Raises ValueError for what can be none."""
    if not _NAME.fullmatch(word) or len(word) < 3:
        raise ValueError("no language of tesseract's; 'tesseract --list-langs' prints those that are there")
    return word
