// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Puts CRealtime's GOMP_parallel where libfluidsynth finds it before libgomp's.
let serialOpenMP: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=GOMP_parallel"])
]

let package = Package(
  name: "Portative",
  products: [
    .executable(name: "portative", targets: ["portative"]),
    // For programs that play nodes, and for programs that are nodes.
    .library(name: "NodeHost", targets: ["NodeHost", "Components", "RenderCore", "MIDICore"]),
    .library(name: "NodeServer", targets: ["NodeServer", "Components", "RenderCore", "MIDICore"]),
  ],
  targets: [
    // System libraries: a module map and a header each, imported by one Swift target only.
    .systemLibrary(name: "CFluidSynth", providers: [.apt(["libfluidsynth-dev"])]),
    .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CEBUR128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CALSAPCM", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CLinux"),

    // A few lines of C that Swift cannot say.
    .target(name: "CRealtime"),
    // Looks JACK's library up when it is wanted.
    .target(name: "CJACK"),
    // Looks the libraries for drawing up when a picture is wanted.
    .target(name: "CPangoCairo"),
    // Looks the Fourier transform up when a picture is wanted.
    .target(name: "CKissFFT"),

    // Realtime: standard library only, every function on the render path annotated `@_noLocks`.
    .target(name: "MIDICore", swiftSettings: strict),
    .target(name: "RenderCore", dependencies: ["MIDICore"], swiftSettings: strict),

    // What a program finds around it: variables, folders, files.
    .target(name: "LocalSystem", dependencies: ["CLinux"], swiftSettings: strict),

    // Edges: each adapts one outside thing to the core; none imports another.
    .target(name: "MIDIFile", dependencies: ["MIDICore"], swiftSettings: strict),
    .target(name: "AudioFile", dependencies: ["CSndFile", "LocalSystem"], swiftSettings: strict),
    .target(name: "Loudness", dependencies: ["CEBUR128"], swiftSettings: strict),
    .target(
      name: "SongPicture", dependencies: ["CPangoCairo", "CKissFFT", "CZlib"],
      swiftSettings: strict),
    .target(name: "Configuration", dependencies: ["LocalSystem"], swiftSettings: strict),
    .target(name: "SystemServices", dependencies: ["CSystemd"], swiftSettings: strict),
    .target(name: "AudioHash", dependencies: ["CXXHash"], swiftSettings: strict),
    .target(name: "Components", dependencies: ["LocalSystem", "CLinux"], swiftSettings: strict),
    .target(
      name: "FluidSynthInstrument",
      dependencies: [
        "MIDICore", "RenderCore", "LocalSystem", "CFluidSynth", "CRealtime", "CProcess",
      ],
      swiftSettings: strict),

    .target(
      name: "ALSABridge",
      dependencies: ["LiveCore", "MIDICore", "Realtime", "LocalSystem", "CALSA"],
      swiftSettings: strict),

    // Threads, their priority, and what they may wait for.
    .target(
      name: "Realtime", dependencies: ["RenderCore", "LocalSystem", "SystemServices", "CRealtime"],
      swiftSettings: strict),

    // Playing live: what comes from keyboards, by the clock, and what goes to a sound device.
    .target(
      name: "LiveCore", dependencies: ["MIDICore", "RenderCore", "Realtime"],
      swiftSettings: strict),

    // Where sound goes.
    .target(
      name: "ALSASound",
      dependencies: ["LiveCore", "Realtime", "RenderCore", "LocalSystem", "CALSAPCM"],
      swiftSettings: strict),

    .target(
      name: "JACKSound",
      dependencies: ["LiveCore", "Realtime", "RenderCore", "LocalSystem", "CJACK"],
      swiftSettings: strict),

    // A host and a node: what both say and share, and a library for each side.
    .target(
      name: "HostConnection",
      dependencies: [
        "MIDICore", "RenderCore", "Realtime", "Components", "LocalSystem", "CRealtime",
      ],
      exclude: ["PROTOCOL.md"],
      swiftSettings: strict),
    .target(
      name: "NodeHost",
      dependencies: [
        "HostConnection", "Realtime", "MIDICore", "RenderCore", "Components", "LocalSystem",
      ],
      swiftSettings: strict),
    .target(
      name: "NodeServer",
      dependencies: [
        "HostConnection", "LiveCore", "Realtime", "MIDICore", "RenderCore", "Components",
        "LocalSystem", "CLinux",
      ],
      swiftSettings: strict),

    // A node that is a host itself.
    .target(
      name: "NodeChain",
      dependencies: ["NodeHost", "HostConnection", "RenderCore", "MIDICore", "Components"],
      swiftSettings: strict),

    // A song as a host plays it: where it is, what sounds there, what is recorded to it.
    .target(
      name: "SongHost",
      dependencies: [
        "MIDICore", "RenderCore", "MIDIFile", "Realtime", "NodeHost", "NodeChain", "LiveCore",
      ],
      swiftSettings: strict),

    // Effects and generators that need no library.
    .target(
      name: "Effects", dependencies: ["RenderCore", "MIDICore", "CRealtime"], swiftSettings: strict),

    // Programs' halves, and the command that puts them together.
    .target(
      name: "OfflineRenderer",
      dependencies: [
        "MIDICore", "RenderCore", "MIDIFile", "AudioFile", "AudioHash", "Loudness", "SongPicture",
        "FluidSynthInstrument", "LocalSystem",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "portative",
      dependencies: [
        "OfflineRenderer", "AudioFile", "AudioHash", "Configuration", "FluidSynthInstrument",
        "MIDIFile",
        "Components", "HostConnection", "NodeHost", "NodeServer", "LocalSystem", "MIDICore",
        "RenderCore", "Realtime", "SystemServices", "ALSABridge", "ALSASound", "JACKSound",
        "LiveCore", "Effects", "NodeChain", "SongHost",
      ],
      swiftSettings: strict, linkerSettings: serialOpenMP),

    // How to write a node, and a host.
    .executableTarget(
      name: "SineNode", dependencies: ["NodeServer", "Components", "RenderCore", "MIDICore"],
      path: "Examples/SineNode", swiftSettings: strict),
    .executableTarget(
      name: "ArpeggioNode", dependencies: ["NodeServer", "Components", "RenderCore", "MIDICore"],
      path: "Examples/ArpeggioNode", swiftSettings: strict),
    .executableTarget(
      name: "ChordHost", dependencies: ["NodeHost", "Components", "RenderCore", "MIDICore"],
      path: "Examples/ChordHost", swiftSettings: strict),

    // Counts the laws and measures the claims; `make bench`.
    .executableTarget(
      name: "bench",
      dependencies: [
        "FluidSynthInstrument", "RenderCore", "MIDICore", "MIDIFile", "NodeHost", "NodeServer",
        "HostConnection", "LiveCore", "Realtime", "Components", "Effects", "CProcess",
      ],
      swiftSettings: strict, linkerSettings: serialOpenMP),

    // What the bench compares a connection with: a bare futex, and JACK, which it loads if it is there.
    .executableTarget(name: "pingpong", cSettings: [.define("_GNU_SOURCE")]),

    // The bundled SoundFont and song, and the program that makes them.
    .target(name: "SoundFontBuilder", swiftSettings: strict),
    .executableTarget(
      name: "makesounds", dependencies: ["SoundFontBuilder"], swiftSettings: strict),

    .testTarget(
      name: "FluidSynthInstrumentTests",
      dependencies: [
        "FluidSynthInstrument", "RenderCore", "MIDICore", "CFluidSynth", "CRealtime",
        "SoundFontBuilder", "TestSupport",
      ],
      swiftSettings: strict, linkerSettings: serialOpenMP),
    .testTarget(
      name: "RenderCoreTests", dependencies: ["RenderCore", "MIDICore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EffectsTests",
      dependencies: ["Effects", "RenderCore", "MIDICore", "CRealtime", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "MIDICoreTests", dependencies: ["MIDICore"], swiftSettings: strict),
    .testTarget(
      name: "MIDIFileTests", dependencies: ["MIDIFile", "MIDICore"], swiftSettings: strict),
    .testTarget(
      name: "AudioFileTests", dependencies: ["AudioFile", "CSndFile", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OfflineRendererTests",
      dependencies: [
        "OfflineRenderer", "RenderCore", "AudioFile", "MIDIFile", "MIDICore", "SongPicture",
        "FluidSynthInstrument",
      ],
      swiftSettings: strict, linkerSettings: serialOpenMP),
    // Runs the program that was built, as its users do.
    .target(
      name: "ProgramTestSupport", dependencies: ["MIDIFile", "MIDICore", "CSndFile"],
      path: "Tests/ProgramTestSupport", swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "portative", "OfflineRenderer", "FluidSynthInstrument", "MIDIFile", "MIDICore", "AudioFile",
        "Configuration", "CSndFile", "Components", "LocalSystem", "RenderCore", "HostConnection",
        "NodeHost", "Effects", "Realtime", "ProgramTestSupport", "ConnectionTestSupport",
        "ALSABridge", "ALSASound", "LiveCore", "TestSupport", "JACKTestSupport",
      ],
      exclude: ["realtimekit.py"],
      swiftSettings: strict),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "ArpeggioNode", "RenderCore", "MIDICore", "ConnectionTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RealtimeTests",
      dependencies: ["Realtime", "SystemServices", "LocalSystem", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LiveCoreTests",
      dependencies: [
        "LiveCore", "Realtime", "RenderCore", "MIDICore", "CRealtime", "ConnectionTestSupport",
        "SoundTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HostConnectionTests",
      dependencies: [
        "HostConnection", "Realtime", "MIDICore", "RenderCore", "Components", "CRealtime",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NodeHostTests",
      dependencies: [
        "NodeHost", "HostConnection", "Realtime", "Components", "MIDICore", "RenderCore",
        "ConnectionTestSupport", "TestSupport", "CRealtime",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NodeServerTests",
      dependencies: [
        "NodeServer", "NodeHost", "NodeChain", "HostConnection", "LiveCore", "Realtime",
        "Components", "MIDICore", "RenderCore",
        "ConnectionTestSupport", "TestSupport", "CRealtime", "testnode",
      ],
      swiftSettings: strict),
    .target(
      name: "ConnectionTestSupport",
      dependencies: [
        "NodeHost", "HostConnection", "Realtime", "Components", "MIDICore", "RenderCore",
        "TestSupport",
      ],
      path: "Tests/ConnectionTestSupport", swiftSettings: strict),
    // A node or a host that tests start, and whose faults they provoke.
    .executableTarget(
      name: "testnode",
      dependencies: [
        "ConnectionTestSupport", "NodeServer", "NodeHost", "HostConnection", "Realtime",
        "Components", "MIDICore", "RenderCore",
      ],
      path: "Tests/TestNode", swiftSettings: strict),
    .testTarget(
      name: "SongHostTests",
      dependencies: [
        "SongHost", "MIDICore", "RenderCore", "MIDIFile", "Realtime", "Effects", "Components",
        "HostConnection", "NodeHost", "NodeServer", "LiveCore", "CRealtime",
        "ConnectionTestSupport",
        "SoundTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SongPictureTests", dependencies: ["SongPicture", "CZlib"], swiftSettings: strict),
    .testTarget(name: "LoudnessTests", dependencies: ["Loudness"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["LocalSystem"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "LocalSystemTests", dependencies: ["LocalSystem", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ConfigurationTests", dependencies: ["Configuration", "LocalSystem", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ComponentsTests", dependencies: ["Components", "LocalSystem", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ALSABridgeTests",
      dependencies: [
        "ALSABridge", "LiveCore", "MIDICore", "Realtime", "LocalSystem", "CALSA",
        "ALSATestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ALSASoundTests",
      dependencies: [
        "ALSASound", "LiveCore", "LocalSystem", "RenderCore", "CRealtime", "SoundTestSupport",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "JACKSoundTests",
      dependencies: [
        "JACKSound", "LiveCore", "LocalSystem", "RenderCore", "CJACK", "CRealtime",
        "JACKTestSupport", "SoundTestSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "JACKTestSupport", dependencies: ["CJACK", "LocalSystem"],
      path: "Tests/JACKTestSupport",
      swiftSettings: strict),
    // In Tests/Rig only: `make test-alsa`.
    .testTarget(
      name: "ALSARigTests",
      dependencies: [
        "ALSABridge", "ALSASound", "LiveCore", "MIDIFile", "MIDICore", "Realtime", "LocalSystem",
        "RenderCore", "CALSA", "CALSAPCM", "ALSATestSupport", "JACKTestSupport", "SoundTestSupport",
        "TestSupport", "ProgramTestSupport", "portative",
      ],
      swiftSettings: strict),
    .target(
      name: "ALSATestSupport", dependencies: ["LiveCore", "MIDICore"],
      path: "Tests/ALSATestSupport", swiftSettings: strict),
    .target(
      name: "SoundTestSupport",
      dependencies: ["LiveCore", "RenderCore", "Realtime", "MIDICore", "ConnectionTestSupport"],
      path: "Tests/SoundTestSupport", swiftSettings: strict),
    .testTarget(name: "AudioHashTests", dependencies: ["AudioHash"], swiftSettings: strict),
    .testTarget(
      name: "BenchTests", dependencies: ["bench"], swiftSettings: strict,
      linkerSettings: serialOpenMP),
    .testTarget(
      name: "SoundFontBuilderTests", dependencies: ["SoundFontBuilder"], swiftSettings: strict),
  ]
)
