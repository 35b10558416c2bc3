"""Draw the pictures of the documentation with the code that the pages show.

    python docs/pictures.py            all pages
    python docs/pictures.py robot      one

Wherever a page's code sets `figure`, the picture after it is that figure.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[str]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def main(names: list[str]) -> None:
    (DOCS / "pictures").mkdir(exist_ok=True)
    for page in sorted(DOCS.rglob("*.md")):
        wanted = re.findall(rf"pictures/({page.stem}-\d+\.png)", page.read_text(encoding="utf-8"))
        if not wanted or (names and page.stem not in names):
            continue
        space: dict[str, object] = {}
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for number, block in enumerate(blocks(page), 1):
                space.pop("figure", None)
                exec(compile(block, f"{page.name}, block {number}", "exec"), space)
                if "figure" in space:
                    target = DOCS / "pictures" / f"{page.stem}-{number}.png"
                    space["figure"].write_image(target, width=1000, height=480)  # type: ignore[attr-defined]
                    print(target.relative_to(DOCS))
            os.chdir(DOCS)


if __name__ == "__main__":
    main(sys.argv[1:])
