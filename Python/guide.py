#!/usr/bin/env python3
"""Writes the Python of a guide as one program, for type checkers: guide.py GUIDE.md"""

import pathlib
import re
import sys

print("import torch\npaths: list[str] = []")
for program in re.findall(r"```python\n(.*?)```", pathlib.Path(sys.argv[1]).read_text(), re.DOTALL):
    print(program)
