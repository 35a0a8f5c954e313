"""A program that draws figures: JSON from standard input, JSON to standard output.

It imports nothing of SegRanks, so that it starts quickly. `rendering` runs it.
"""

import base64
import json
import sys
from collections.abc import Callable


def main() -> None:
    from vl_convert import svg_to_pdf, svg_to_png, vegalite_to_svg

    asked = json.load(sys.stdin)
    scale = asked["png_scale"]
    convert: dict[str, Callable[[str], bytes]] = {
        "svg": str.encode,
        "pdf": svg_to_pdf,
        "png": lambda svg: svg_to_png(svg, scale=scale),
    }
    drawn = []
    for specification in asked["specifications"]:
        # No address is allowed, so nothing is loaded.
        svg = vegalite_to_svg(specification, allowed_base_urls=[], **asked["options"])
        drawn.append(
            {
                extension: base64.b64encode(convert[extension](svg)).decode()
                for extension in asked["extensions"]
            }
        )
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()
