# Everything a contributor runs. On a fresh Debian 12 with a Swift 6.3 toolchain, `make demo` and
# `make test` need nothing else: they install the missing Debian packages first, and say which.

BUILD_PACKAGES = libfluidsynth-dev libsndfile1-dev libebur128-dev libxxhash-dev \
	libsystemd-dev libasound2-dev libjack-jackd2-dev \
	libcairo2-dev libpangocairo-1.0-0 libkissfft-dev
# The peer that the bench compares with, two SoundFonts and 31 songs for the tests, a sound server, and
# what it takes to play a D-Bus service to them.
TEST_PACKAGES = fluidsynth fluid-soundfont-gm timgm6mb-soundfont openttd-openmsx jackd2 \
	dbus-daemon python3-dbus python3-gi
# A machine with ALSA, emulated: Tests/Rig. The kernel comes on top, unpacked and not installed.
RIG_PACKAGES = qemu-system-x86 kmod cpio xz-utils alsa-utils
# What runs a library in parts: Tests/Engines. Dask comes from PyPI, into ~/.cache.
ENGINE_PACKAGES = parallel slurm-wlm munge python3-venv procps

# With Swift's libraries inside, the program runs where there is no Swift, starts sooner and takes 9 MB less.
RELEASE = swift build -c release --static-swift-stdlib

.PHONY: demo build install test test-fluidsynths test-alsa test-engines test-schemas soak check-format soundfont bench bench-fluidsynths fuzz rig \
	packages test-packages clean

demo: packages
	$(RELEASE) --product portative
	mkdir -p out
	.build/release/portative render --soundfont SoundFonts/Portative.sf2 -o out/demo.wav SoundFonts/demo.mid
	@cat SoundFonts/demo.txt

build: packages
	$(RELEASE) --product portative

# make install PREFIX=/usr/local
PREFIX ?= /usr/local
install: build
	install -Dm755 .build/release/portative $(DESTDIR)$(PREFIX)/bin/portative
	install -Dm644 SoundFonts/Portative.sf2 $(DESTDIR)$(PREFIX)/share/portative/SoundFonts/Portative.sf2
	install -Dm644 nodes/portative.json $(DESTDIR)$(PREFIX)/share/portative/nodes/portative.json
	install -d $(DESTDIR)$(PREFIX)/share/portative/schemas
	install -m644 Schemas/*.schema.json $(DESTDIR)$(PREFIX)/share/portative/schemas

# The debug build is the gate for the realtime annotations: it checks more than the release build.
test: packages test-packages
	swift build --build-tests
	swift test --skip-build
	swift test --package-path SoundFonts/Builder
	Tests/realtime.sh

# What depends on FluidSynth, with the libraries of Debian 13 and of unstable, unpacked into ~/.cache
test-fluidsynths: packages test-packages
	swift build --build-tests
	Tests/FluidSynths/test

# With the kernel's own sequencer, a sound card and USB keyboards: make test-alsa RIG=--emulated
# They run on this machine if it has them, else in QEMU once `make rig` has been here, or not at all.
test-alsa: packages
	swift build --build-tests
	Tests/Rig/test $(RIG)

# What all verbs write as JSON, by Python's jsonschema
test-schemas: packages test-packages
	@tools/install-packages python3-jsonschema
	swift build --build-tests
	PORTATIVE_REQUIRES_JSONSCHEMA=1 swift test --skip-build --filter SchemaTests

# Examples/Shards with GNU parallel, Slurm and Dask, each losing a part of itself in the middle
test-engines: packages test-packages
	@tools/install-packages $(ENGINE_PACKAGES)
	swift build --build-tests
	Tests/Engines/test

# The faults of nodes and hosts, each provoked so many times more; make soak SOAK=100
soak: packages test-packages
	swift build --build-tests
	PORTATIVE_SOAK=$(or $(SOAK),20) swift test --skip-build --filter NodeServerTests

check-format:
	swift format lint --strict --recursive Sources Tests Benchmarks Examples Fuzz SoundFonts/Builder Package.swift

# Writes the bundled SoundFont and song anew, and fails if a byte differs.
soundfont:
	$(RELEASE) --package-path SoundFonts/Builder --product makesounds
	SoundFonts/Builder/.build/release/makesounds SoundFonts
	cd SoundFonts && sha256sum --check SHA256SUMS

# make bench BENCH=--quick
bench: packages test-packages
	@tools/install-packages python3-venv
	tools/install-symusic
	for product in portative pingpong bench; do $(RELEASE) --product $$product || exit; done
	.build/release/bench $(BENCH)

# The laws at every rate with the FluidSynths of Debian 13 and of unstable
bench-fluidsynths: packages test-packages
	for product in portative bench; do $(RELEASE) --product $$product || exit; done
	for suite in trixie unstable; do Tests/FluidSynths/run $$suite .build/release/bench $(BENCH) rates || exit; done

fuzz: packages
	Fuzz/run.sh $(or $(FUZZ_SECONDS),60)

# Installs what Tests/Rig/run needs, and what it boots into ~/.cache.
rig:
	@tools/install-packages $(RIG_PACKAGES)
	@Tests/Rig/prepare

packages:
	@tools/install-packages $(BUILD_PACKAGES)

test-packages:
	@tools/install-packages $(TEST_PACKAGES)

clean:
	rm -rf .build out
