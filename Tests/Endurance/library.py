"""Attacks on the libraries of nodes and hosts, which are tests in Swift: Tests/Nodes/NodeServerTests."""

import os
import re
import subprocess
import sys

from record import ROOT


def tests(name, is_counting=True):
    """A kind that tests run, whose names match a pattern.

    - Parameter is_counting: Whether the tests report how many inputs they had, which must be all.
    """

    def run(piece):
        piece.folder.mkdir(parents=True, exist_ok=True)
        report = piece.folder / "report.txt"
        report.unlink(missing_ok=True)
        # So that the allocator returns the buffers of units whose cycles are as long as random messages may ask for.
        environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072",
                       "PORTATIVE_FAULTS": f"{piece.inputs.start}+{len(piece.inputs)}",
                       "PORTATIVE_FAULTS_REPORT": str(report)}  # fmt: skip
        result = subprocess.run([ROOT / "Tests/run", "--filter", name], env=environment, capture_output=True, text=True)
        lines = report.read_text().splitlines() if report.exists() else []
        piece.resources = "; ".join(lines)
        for count, what in re.findall(r"^(\d+) ([a-z ]+)", "\n".join(lines), re.MULTILINE):
            piece.counts[what] += int(count)
        if result.returncode != 0:
            issues = [line for line in result.stderr.splitlines() if line.startswith(("failed:", "Tests/run:"))]
            sys.exit("\n".join(issues) or f"the tests ended with {result.returncode}: {result.stderr[-2000:]}")
        if is_counting and piece.counts.total() < len(piece.inputs):
            sys.exit(f"the tests had only {piece.counts.total()} inputs of {len(piece.inputs)}")

    return run
