# Debian packages and releases: CONTRIBUTING.md, Release.

# The releases of Debian for which packages are built: make deb SUITES=bookworm, and the architecture: make deb
# SUITES=trixie ARCH=arm64
SUITES ?= bookworm trixie
ARCH ?=

.PHONY: deb test-deb test-reproducible release

# dist/SUITE, with ARCH dist/SUITE-ARCH: the packages, built in a system of that release, which is made in ~/.cache/portative/roots.
deb:
	@tools/install-packages debootstrap git
	for suite in $(SUITES); do ARCH=$(ARCH) Packaging/Debian/build $$suite || exit; done

# Installs, uses, upgrades and purges the packages in new systems without a compiler. With ARCH, those for arm64, under QEMU:
# make test-deb SUITES=trixie ARCH=arm64
test-deb:
	@tools/install-packages debootstrap
	ARCH=$(ARCH) Tests/Packages/test $(SUITES)

# Builds the packages again, elsewhere and with other settings, and compares every byte with those in dist.
test-reproducible:
	@tools/install-packages debootstrap git
	Tests/Packages/reproduce $(SUITES)

# dist/portative-VERSION: source archive, packages, wheel and checksums. Only from a checkout without changes.
release:
	@tools/install-packages git xz-utils
	VERSION=$(VERSION) SUITES="$(SUITES)" Packaging/release
