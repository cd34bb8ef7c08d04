"""Prints the text of a PDF by whatever reader is installed; exit code 3 when there is none, or none can read it."""

import shutil
import site
import subprocess
import sys


def with_pypdf(path):
    import pypdf

    return [page.extract_text() for page in pypdf.PdfReader(path).pages]


def with_pymupdf(path):
    import fitz

    return [page.get_text() for page in fitz.open(path)]


def with_pdfminer(path):
    from pdfminer.high_level import extract_text

    return extract_text(path).split("\f")


def with_poppler(path):
    if not shutil.which("pdftotext"):
        raise ImportError("pdftotext")
    run = subprocess.run(["pdftotext", "-layout", "--", path, "-"], capture_output=True, check=True)
    return run.stdout.decode("utf-8", "replace").split("\f")


def main(path):
    site.addsitedir(site.getusersitepackages())
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    for read in (with_pypdf, with_pymupdf, with_pdfminer, with_poppler):
        try:
            pages = read(path)
        except Exception:
            continue
        for number, page in enumerate(pages, 1):
            if page.strip() or number < len(pages):
                print(f"[Page {number}]\n{page.strip()}")
        return
    sys.exit(3)


main(sys.argv[1])
