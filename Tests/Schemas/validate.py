#!/usr/bin/env python3
"""Validates portative's JSON output against the schemas that it names: validate.py SCHEMAS FILE…

A file contains a report, or an object on each line. Fields that no schema defines are errors here, so that schemas
stay complete; readers should ignore such fields. Requires python3-jsonschema.
"""
import json
import sys
from pathlib import Path

import jsonschema


def objects(path):
    text = path.read_text()
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def inline(schema, folder, local):
    """Returns the schema with each $ref replaced by its target and with unknown fields forbidden."""
    if isinstance(schema, list):
        return [inline(item, folder, local) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#")
        document = json.loads((folder / file).read_text()) if file else local
        target = document
        for part in pointer.strip("/").split("/"):
            target = target[part]
        return inline(target, folder, document)
    schema = {key: inline(value, folder, local) for key, value in schema.items() if key != "$defs"}
    if "properties" in schema and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema


def main(folder, *paths):
    folder = Path(folder)
    for path in folder.glob("*.schema.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
    failures = 0
    for path in map(Path, paths):
        for number, value in enumerate(objects(path), 1):
            name, kind, version = value["schema"].split("/")
            document = json.loads((folder / f"{kind}.schema.json").read_text())
            schema = inline(document, folder, document)
            for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
                failures += 1
                print(f"{path}:{number}: {error.json_path}: {error.message}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
