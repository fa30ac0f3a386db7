#!/usr/bin/env python3
"""Validates JSON against the schemas: validate.py SCHEMAS FILE…

A file contains a report, or an object on each line. An object names its schema, as portative's output does, or is
{"message": NAME, "isValid": BOOLEAN, "packet": PACKET} for a packet of the protocol: it must match the schema of the
message or, if it is invalid, must not. Fields that no schema defines are errors here, so that schemas stay complete;
readers should ignore such fields. Requires python3-jsonschema.
"""
import json
import sys
import urllib.parse
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
            target = target[urllib.parse.unquote(part)]
        return inline(target, folder, document)
    schema = {key: inline(value, folder, local) for key, value in schema.items() if key != "$defs"}
    if "properties" in schema and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema


def packet_errors(folder, value):
    """Yields what is wrong with a packet of the protocol."""
    protocol = json.loads((folder / "protocol.schema.json").read_text())
    schema = protocol["$defs"][value["message"]]
    packet, message = value["packet"], value["message"]
    if not value["isValid"]:
        # Without the check for unknown fields, which readers ignore.
        if jsonschema.Draft202012Validator({**schema, "$defs": protocol["$defs"]}).is_valid(packet):
            yield f"{message}: is valid, but the decoder refuses it: {json.dumps(packet)}"
        return
    for error in jsonschema.Draft202012Validator(inline(schema, folder, protocol)).iter_errors(packet):
        yield f"{message}: {error.json_path}: {error.message}"
    if not jsonschema.Draft202012Validator(protocol).is_valid(packet):
        yield f"{message}: no schema in anyOf matches it"


def output_errors(folder, value):
    """Yields what is wrong with an object of portative's output."""
    name, kind, version = value["schema"].split("/")
    document = json.loads((folder / f"{kind}.schema.json").read_text())
    schema = inline(document, folder, document)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        yield f"{error.json_path}: {error.message}"


def main(folder, *paths):
    folder = Path(folder)
    for path in folder.glob("*.schema.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
    failures = 0
    for path in map(Path, paths):
        for number, value in enumerate(objects(path), 1):
            for error in (packet_errors if "packet" in value else output_errors)(folder, value):
                failures += 1
                print(f"{path}:{number}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
