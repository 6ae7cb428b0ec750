"""Reads the documents of office suites: DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF."""

from engine.text.office.docx import read_docx
from engine.text.office.odp import read_odp
from engine.text.office.ods import read_ods
from engine.text.office.odt import read_odt
from engine.text.office.pptx import read_pptx
from engine.text.office.rtf import read_rtf
from engine.text.office.xlsx import read_xlsx

__all__ = [
    "read_docx",
    "read_odp",
    "read_ods",
    "read_odt",
    "read_pptx",
    "read_rtf",
    "read_xlsx",
]
