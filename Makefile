# All targets for contributors. On a fresh Debian with Swift 6.2 or 6.3, `make demo` and `make test` need nothing else: they
# print and install the missing Debian packages first.

BUILD_PACKAGES = libfluidsynth-dev libsndfile1-dev libebur128-dev libxxhash-dev \
	libsystemd-dev libasound2-dev libjack-jackd2-dev \
	libcairo2-dev libpangocairo-1.0-0 libkissfft-dev libsamplerate0-dev lv2-dev liblilv-dev libwebsockets-dev
# A synthesizer that the bench compares with, two SoundFonts and 31 songs for the tests, a sound server, the packages for
# a simulated D-Bus service, those that the examples in C and Python need, two that check LV2 bundles, and a debugger that
# shows where a program hangs.
TEST_PACKAGES = fluidsynth fluid-soundfont-gm timgm6mb-soundfont openttd-openmsx jackd2 \
	dbus-daemon python3-dbus python3-gi gcc libc6-dev libjson-c-dev python3 \
	sordi lilv-utils gdb mandoc bash-completion zsh fish
# An emulated machine with ALSA: Tests/Rig. Its kernel is downloaded separately, unpacked and not installed.
RIG_PACKAGES = qemu-system-x86 kmod cpio xz-utils alsa-utils
# Job schedulers for sharded rendering: Tests/Engines. Dask is installed from PyPI into ~/.cache.
ENGINE_PACKAGES = parallel slurm-wlm munge python3-venv procps
# Hosts of LV2 plugins, and what checks plugins.
HOST_PACKAGES = ardour mda-lv2 python3-numpy timgm6mb-soundfont fluid-soundfont-gm jackd2 libjack-jackd2-dev jalv lilv-utils sordi lv2-dev valgrind gcc binutils libc6-dev python3

# Browsers for the web panel. Selenium, axe-core and the driver of Firefox are installed from PyPI into ~/.cache.
PANEL_PACKAGES = chromium chromium-driver firefox-esr python3-venv mda-lv2 dragonfly-reverb-lv2

# A graph in which ports are clients of JACK, with its session manager.
PIPEWIRE_PACKAGES = pipewire pipewire-bin pipewire-jack wireplumber dbus-daemon libjack-jackd2-dev gcc libc6-dev python3

# A sequencer that hosts LV2 plugins and needs ALSA's.
QTRACTOR_PACKAGES = qtractor jackd2 libjack-jackd2-dev gcc libc6-dev python3

# Statically linked, the program runs without a Swift toolchain, starts faster and uses 9 MB less memory. By their build
# IDs, debuggers find the symbols that belong to a binary. The code does not depend on the folder of the checkout. LLVM's
# linker comes with the toolchain; gold, Swift's default, is an optional and deprecated package in Debian 13. RELEASE_FLAGS
# are further options, such as those of debian/rules.
RELEASE = swift build -c release --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -use-ld=lld -Xlinker --build-id=sha1 -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now $(RELEASE_FLAGS) \
	$(if $(filter aarch64 debian-arm64,$(shell uname -m) $(RELEASE_FLAGS)),-Xlinker -T -Xlinker $(CURDIR)/Packaging/arm64.ld)

# Debug builds that spend half the processor time in tests: see Package.swift.
export OPTIMIZED = 1
# An empty library for the tests, where Debian's Swift lacks the one of its module _Testing_Foundation.
export LIBRARY_PATH := $(CURDIR)/Tests/DebianSwift$(if $(LIBRARY_PATH),:$(LIBRARY_PATH))

.PHONY: demo build library render-library lv2 clap link test test-all test-clients test-install test-documentation \
	test-python test-training test-wheel test-portable-wheel test-labels wheel portable-wheel test-plugins test-lv2 test-clap test-pipewire test-qtractor test-link \
	test-panel test-fluidsynths test-debian-swift arm64 test-arm64 test-memory-model test-alsa test-engines schemas test-schemas test-scenes soak agreement corpus endurance \
	check-format soundfont bench bench-fluidsynths bench-plugins bench-graph bench-lv2 fuzz test-memory test-threads rig packages test-packages clean

demo: packages
	$(RELEASE) --product portative
	mkdir -p out
	.build/release/portative render --soundfont SoundFonts/Portative.sf2 -o out/demo.wav SoundFonts/demo.mid
	@cat SoundFonts/demo.txt

build: packages
	$(RELEASE) --product portative

# The library for C, with Swift's libraries in it. It needs no FluidSynth, and libsystemd's headers only to be built.
library:
	@tools/install-packages libsystemd-dev
	$(RELEASE) --product portative-c

# The offline engine for C and Python, with Swift's libraries in it.
render-library: packages
	$(RELEASE) --product portative-render-c

# The shared object of the LV2 plugins, with Swift's libraries in it.
lv2:
	@tools/install-packages libsystemd-dev lv2-dev
	$(RELEASE) --product portative-lv2

# The shared object of the CLAP plugins.
clap:
	@tools/install-packages libsystemd-dev
	$(RELEASE) --product portative-clap

VERSION := $(shell tools/version)
include Packaging/install.mk Packaging/release.mk

# A program of its own, whose licence is the GPL: Link/README.md.
LINK_PACKAGES = ableton-link-dev g++
LINK_CXX ?= $(CXX)
link:
	@tools/install-packages $(LINK_PACKAGES)
	mkdir -p .build
	$(LINK_CXX) -std=c++17 -O2 -Wall -Wextra $(CPPFLAGS) $(CXXFLAGS) -DLINK_PLATFORM_LINUX=1 -ISources/C/CLink \
	  Link/portative-link.cpp -o .build/portative-link $(LDFLAGS) -lpthread

# The debug build verifies the realtime annotations: it checks more than the release build.
test: packages test-packages
	swift build --build-tests
	Tests/Interface/signatures
	Tests/run
	swift test --package-path SoundFonts/Builder
	Tests/realtime.sh

# Builds and tests with the Swift of Debian unstable, in a system that is unpacked into ~/.cache. Requires root, or sudo. Another
# command instead of the tests: make test-debian-swift RUN="make demo"
test-debian-swift:
	@tools/install-packages debootstrap
	PACKAGES="$(BUILD_PACKAGES) $(TEST_PACKAGES)" Tests/DebianSwift/run $(or $(RUN),make test)

# Builds the program, the libraries for C and the LV2 plugins for arm64, with the Swift of Debian unstable, in a system that is
# unpacked into ~/.cache: .build/arm64/aarch64-unknown-linux-gnu/release. Requires root, or sudo. In that system,
# RUN="COMMAND" runs another command.
ARM64 = PACKAGES="$(BUILD_PACKAGES)" Packaging/Debian/arm64
arm64:
	@tools/install-packages debootstrap
	$(ARM64) $(or $(RUN),make build library render-library lv2 clap)

# Runs these under QEMU, and compares what they write with the release build of this machine. Needs Linux 6.7. Some
# of the checks only, by a regular expression: make test-arm64 CHECKS='C node|Python'
test-arm64: arm64 build library render-library
	$(ARM64) --emulate --mount $$(realpath .build/release):/amd64 \
	  Tests/Arm64/run /portative/.build/aarch64-unknown-linux-gnu/release /amd64 $(if $(CHECKS),'$(CHECKS)')

# Runs models of the lock-free parts through all executions that the memory model of C and Swift permits, with herd7 of Debian
# unstable, in a system that is unpacked into ~/.cache. Requires root, or sudo.
test-memory-model:
	@tools/install-packages debootstrap
	Packaging/Debian/enter $$(Packaging/Debian/root unstable memory herdtools7 python3) --offline --mount $(CURDIR):/portative \
	  python3 -B /portative/Tests/MemoryModel/check.py herd7

# Builds clients outside this package, which use only what is installed or public, and plays them against each other.
test-clients:
	@tools/install-packages gcc g++ pkg-config binutils
	Tests/Clients/run

# Installs into a folder, checks all that is there with other programs, and uninstalls.
INSTALL_PACKAGES = man-db mandoc appstream librsvg2-bin systemd pkg-config gcc libc6-dev binutils gdb bash zsh fish lowdown
test-install:
	@tools/install-packages $(INSTALL_PACKAGES)
	Tests/Install/run

# Runs the commands on the pages of the documentation as a new user would.
test-documentation: build clap test-packages
	@tools/install-packages $(DOCUMENTATION_PACKAGES)
	Tests/Documentation/check.py .build/release/portative

# The package for Python with both libraries in it: dist/portative-*.whl, for every Python on Debian 12 and later.
PYTHON_PACKAGES = python3-venv binutils libfluidsynth3 libsndfile1 libebur128-1 libxxhash0
wheel: library render-library
	@tools/install-packages $(PYTHON_PACKAGES)
	Python/make-wheel

# The same with FluidSynth and what else both libraries need in it: dist/portable/portative-*.whl, for every Linux with glibc 2.34.
portable-wheel: wheel
	@tools/install-packages gcc libc6-dev
	Python/make-portable-wheel

# Installs the wheel into an environment of its own, and runs the package's tests with the formats of other packages.
test-python: wheel build test-packages
	Python/run-tests

# Renders as a training loop does, in workers that are forked and spawned, and then many short songs, and fails if anything
# hangs or grows: make test-training DURATION=600 SONGS=10000, with seconds for each way in which processes start
test-training: wheel
	Python/run-tests --training $(or $(DURATION),20) $(or $(SONGS),1000)

# Installs the wheel in new environments on Debian 12 and 13, which are unpacked into ~/.cache, and runs the tests there.
# Requires root.
test-wheel: wheel build
	@tools/install-packages debootstrap
	for suite in bookworm trixie; do Tests/Wheel/run $$suite || exit; done

# Installs the portable wheel in new environments on Ubuntu 22.04 and Debian without FluidSynth, and runs the tests there.
# Requires root.
test-portable-wheel: portable-wheel build
	@tools/install-packages debootstrap
	for suite in jammy bookworm trixie unstable; do Tests/Wheel/run $$suite --portable || exit; done

# Compares the labels of songs with fractions and with the sound of each note, and does so again with songs that are transposed,
# slowed down and played in part. make test-labels SONGS=100
LABELED_SONGS = --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2 SoundFonts/demo.mid /usr/share/games/openttd/baseset/openmsx/*.mid
test-labels: packages test-packages
	@tools/install-packages python3-numpy
	swift build --product portative
	mkdir -p .build/labels
	python3 Tests/Labels/check.py .build/debug/portative .build/labels --random $(or $(SONGS),100) $(LABELED_SONGS)
	python3 Tests/Labels/changes.py .build/debug/portative .build/labels --random $(or $(SONGS),20) $(LABELED_SONGS)

# Plugins that play in the documentation.
DOCUMENTATION_PACKAGES = liblilv-0-0 setbfree mda-lv2 dragonfly-reverb-lv2

# Checks the LV2 plugins of Debian, and writes what the table of Documentation/Plugins.md is made from.
LV2_PACKAGES = setbfree mda-lv2 zynaddsubfx-lv2 synthv1-lv2 samplv1-lv2 drumkv1-lv2 padthv1-lv2 so-synth-lv2 avldrums.lv2 drumgizmo \
	dragonfly-reverb-lv2 calf-plugins lsp-plugins-lv2 x42-plugins swh-lv2 dpf-plugins-lv2 eq10q guitarix-lv2 invada-studio-plugins-lv2
test-lv2: packages
	@tools/install-packages $(LV2_PACKAGES) liblilv-0-0
	swift build --product portative
	mkdir -p out
	Tests/LV2/measure $(if $(TYPE),--type $(TYPE)) > out/lv2.md
	@echo "Wrote out/lv2.md"

# Plays the LV2 plugins in Ardour, in jalv and in a host that breaks the rules, without a screen or a sound card.
test-plugins: packages
	@tools/install-packages $(HOST_PACKAGES)
	for product in portative portative-lv2 portative-clap portative-c; do swift build --product $$product || exit; done
	Tests/Hosts/run

# The host with which test-plugins checks the CLAP plugins, judged by a small plugin with faults.
test-clap:
	@tools/install-packages gcc libc6-dev python3
	Tests/Hosts/run --clap

# Plays ports in PipeWire's graph, through its library for JACK.
test-pipewire: packages
	@tools/install-packages $(PIPEWIRE_PACKAGES)
	swift build --product portative
	Tests/Hosts/run --pipewire

# Plays the LV2 plugins in qtractor, on this machine if it has ALSA's sequencer, otherwise in QEMU.
test-qtractor: packages rig
	@tools/install-packages $(QTRACTOR_PACKAGES)
	for product in portative portative-lv2 portative-clap; do swift build --product $$product || exit; done
	Tests/Rig/run --timeout 1200 Tests/Hosts/run --qtractor

# Compares the processor time of the plugins with that of another synthesizer's, alone and on the tracks of a session.
bench-plugins: packages
	@tools/install-packages $(HOST_PACKAGES)
	for product in portative portative-lv2; do $(RELEASE) --product $$product || exit; done
	PORTATIVE_CONFIGURATION=release Tests/Hosts/measure
	PORTATIVE_CONFIGURATION=release Tests/Hosts/measure-tracks

# Compares the ports in JACK's graph with other synthesizers there.
bench-graph: packages
	@tools/install-packages $(HOST_PACKAGES) fluidsynth
	$(RELEASE) --product portative
	PORTATIVE_CONFIGURATION=release Tests/Hosts/measure-graph

# Compares LV2 plugins as ports with the same plugins in jalv, and in a loop around lilv.
bench-lv2: packages
	@tools/install-packages $(HOST_PACKAGES) setbfree calf-plugins
	for product in portative portative-c; do $(RELEASE) --product $$product || exit; done
	PORTATIVE_CONFIGURATION=release Tests/Hosts/measure-lv2

# Members of Link sessions on this machine, in other processes.
test-link: packages link
	swift build --build-tests
	Tests/run --filter 'LinkPeerTests|LinkLeadingTests'

# Drives the web panel in Chromium and Firefox as users do, without a screen or a sound card:
# make test-panel PANEL=panel_tests.PanelTests.test_…
test-panel: packages
	@tools/install-packages $(PANEL_PACKAGES)
	swift build --product portative
	Tests/Panel/run $(PANEL)

# Runs the tests that depend on FluidSynth with the libraries of Debian 13 and unstable, unpacked into ~/.cache.
test-fluidsynths: packages test-packages
	swift build --build-tests
	Tests/FluidSynths/test

# Runs the tests with the kernel's sequencer, a sound card and USB keyboards: make test-alsa RIG=--emulated
# They run on this machine if it has these devices, otherwise in QEMU if `make rig` has been run, or not at all.
test-alsa: packages
	swift build --build-tests
	Tests/Rig/test $(RIG)

# Writes the schema of the protocol, which is made from the types of its messages.
schemas: packages test-packages
	swift build --build-tests
	PORTATIVE_WRITES_SCHEMAS=1 Tests/run --filter ProtocolSchemaTests

# Validates the JSON output of all verbs with Python's jsonschema.
test-schemas: packages test-packages
	@tools/install-packages python3-jsonschema
	swift build --build-tests
	PORTATIVE_REQUIRES_JSONSCHEMA=1 Tests/run --filter SchemaTests

# Runs Examples/Shards with GNU parallel, Slurm and Dask, and kills a part of each while it runs.
test-engines: packages test-packages
	@tools/install-packages $(ENGINE_PACKAGES)
	swift build --build-tests
	Tests/Engines/test

# A thousand changes of scenes with a SoundFont of 142 MB, each with a chord: make test-scenes CHANGES=5000
test-scenes: packages test-packages
	swift build --build-tests
	PORTATIVE_SCENE_CHANGES=$(or $(CHANGES),1000) Tests/run --filter SceneTimingTests

# Random songs on lanes and on one plain FluidSynth, which must sound alike: make agreement SONGS=10000 SEED=5
agreement: packages test-packages
	swift build --build-tests
	PORTATIVE_SONGS=$(or $(SONGS),1000) PORTATIVE_SONGS_SEED=$(or $(SEED),1) Tests/run --filter PlainAgreementTests

# A folder of MIDI files with the FluidSynths of Debian 12, 13 and unstable, which must choose the same presets, and reports
# without gaps: make corpus SONGS=~/midi
corpus: packages test-packages
	@tools/install-packages python3-mido
	swift build --product portative
	python3 Tests/Labels/corpus.py .build/debug/portative $(SONGS)

# The whole server in virtual time, with figures and a picture of them in .build/soak: make soak HOURS=24 SEED=2, or as many
# hours as fit into real minutes: make soak MINUTES=10
soak: packages test-packages
	swift build --build-tests
	rm -rf .build/soak && mkdir -p .build/soak
	PORTATIVE_SOAK_HOURS=$(or $(HOURS),$(if $(MINUTES),1000000,24)) PORTATIVE_SOAK_MINUTES=$(or $(MINUTES),1440) \
	  PORTATIVE_SOAK_SEED=$(or $(SEED),1) PORTATIVE_SOAK_FIGURES=.build/soak/figures.jsonl \
	  Tests/run --filter LongSoakTests; status=$$?; \
	  [ ! -e .build/soak/figures.jsonl ] || Tests/Endurance/draw.py .build/soak/figures.jsonl .build/soak/soak.svg; exit $$status

# Malformed messages, requests and files, random memory, and kills: a part of a million inputs or a thousand kills of each kind.
# Parts add up, over sessions and machines, in Tests/Endurance/results.jsonl. make endurance PART=3/20 KINDS="songs members"
endurance: packages test-packages link
	@tools/install-packages gcc libc6-dev lv2-dev
	swift build --build-tests
	swift build --product portative-lv2
	Tests/Endurance/run.py .build/debug/portative --part $(or $(PART),1/20) $(KINDS)

# All tests except test-qtractor, test-memory, test-threads, fuzz, soak, agreement, corpus and endurance: over an hour on two processors. The
# timing of the emulated machine depends on the load of this one: only a failure that repeats counts.
test-all:
	.ci/run
	$(MAKE) test-fluidsynths
	[ "$$(id -u)" -ne 0 ] || $(MAKE) test-debian-swift test-arm64 test-memory-model
	$(MAKE) test-clap
	$(MAKE) test-install
	$(MAKE) test-documentation
	$(MAKE) test-link
	$(MAKE) test-python
	$(MAKE) test-training
	[ "$$(id -u)" -ne 0 ] || $(MAKE) test-wheel test-portable-wheel
	$(MAKE) test-labels
	$(MAKE) test-panel
	$(MAKE) test-scenes
	$(MAKE) test-pipewire
	$(MAKE) rig
	$(MAKE) test-alsa || { echo "test-alsa failed; repeating it" && $(MAKE) test-alsa; }
	$(MAKE) test-engines
	$(MAKE) soundfont

check-format:
	swift format lint --strict --recursive Sources Tests Benchmarks Examples Fuzz SoundFonts/Builder Package.swift
	tools/check-rooms
	tools/check-headers
	tools/set-identity --check
	@! grep -rPzl --include='*.swift' '@Suite(?!\([^{]*\.timeLimit)|[^)]\n(final )?(struct|class) \w+Tests\b' Tests SoundFonts/Builder/Tests || \
	  { echo "the suites in these files have no @Suite(.timeLimit(…))" >&2; false; }

# Regenerates the bundled SoundFont and song, and fails if a byte differs.
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

# Checks the laws at every rate with the FluidSynth of Debian 13 and of unstable.
bench-fluidsynths: packages test-packages
	for product in portative bench; do $(RELEASE) --product $$product || exit; done
	for suite in trixie unstable; do Tests/FluidSynths/run $$suite .build/release/bench $(BENCH) rates || exit; done

# Runs the tests and the programs that they start under AddressSanitizer, in a build of its own in .build/asan. It searches for
# no leaks, because it does not find the pointers in Swift's enumerations, which have the number of the case in their upper bits,
# and in weak references, which are shifted.
test-memory: packages test-packages
	swift build --build-tests --sanitize=address --scratch-path .build/asan
	TEST_BUILD=.build/asan SWIFT_BACKTRACE=enable=no \
	  ASAN_OPTIONS='detect_leaks=0:suppressions="$(CURDIR)/Tests/memory.suppressions"' Tests/run

# Runs what threads share, in nodes, hosts, the panel and the soak, under ThreadSanitizer, in a build of its own in .build/tsan.
# It does not see what two processes share. Tests/threads.c tells it of mutexes and of counts of references.
THREAD_TESTS = ^(NodeServerTests|NodeHostTests|WebPanelTests|SoakTests)\.
test-threads: packages test-packages
	swift build --build-tests --sanitize=thread --scratch-path .build/tsan
	"$$(dirname "$$(readlink -f "$$(command -v swift)")")/clang" -O1 -fPIC -shared -o .build/tsan/threads.so Tests/threads.c
	TEST_BUILD=.build/tsan SWIFT_BACKTRACE=enable=no TEST_PRELOAD=$(CURDIR)/.build/tsan/threads.so \
	  Tests/run --filter '$(or $(THREADS),$(THREAD_TESTS))'

fuzz: packages
	Fuzz/run.sh $(or $(FUZZ_SECONDS),60)

# Installs the packages that Tests/Rig/run needs, and writes its kernel and initramfs to ~/.cache.
rig:
	@tools/install-packages $(RIG_PACKAGES)
	@Tests/Rig/prepare

packages:
	@tools/install-packages $(BUILD_PACKAGES)

# Debian 12 has the example programs of JACK in jackd2, later releases in a package of their own.
test-packages:
	@tools/install-packages $(TEST_PACKAGES)
	@[ -e /usr/bin/jack_metro ] || tools/install-packages jack-example-tools

clean:
	rm -rf .build out
