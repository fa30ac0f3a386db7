"""The wheel contains the C library, so it is for one platform; but it uses no interface of Python's, so it is for every
version. `make wheel` puts the library into portative/lib."""

import platform
from pathlib import Path

from setuptools import setup
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HAS_LIBRARY = any((Path(__file__).parent / "portative/lib").glob("*.so.*"))


class BinaryDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return HAS_LIBRARY


class Wheel(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        if not HAS_LIBRARY:
            return "py3", "none", "any"
        # The glibc of Debian 12, where the library is built.
        return "py3", "none", f"manylinux_2_36_{platform.machine()}"


setup(distclass=BinaryDistribution, cmdclass={"bdist_wheel": Wheel})
