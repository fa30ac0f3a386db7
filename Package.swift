// swift-tools-version: 6.2

import PackageDescription

// A target's folder is `Sources/ROOM/NAME` or `Tests/ROOM/NAME`. Dependencies that follow from others
// are left out. One line for each target:
// swift-format-ignore
let package = Package(
  name: "Portative",
  products: [
    .executable(name: "portative", targets: ["portative"]),
    // For programs that play nodes, and for programs that are nodes: every target with a type in a public signature.
    .library(name: "NodeHost", targets: ["NodeHost", "NodeProtocol", "RenderCore", "LocalSystem"]),
    .library(name: "NodeServer", targets: ["NodeServer", "NodeProtocol", "RenderCore", "LocalSystem", "LiveMIDI"]),
    // Both for other languages: `make install` installs it as libportative.so with its headers.
    .library(name: "portative-c", type: .dynamic, targets: ["PortativeC"]),
    // The offline engine for other languages: `make install` installs it as libportative-render.so.
    .library(name: "portative-render-c", type: .dynamic, targets: ["PortativeRenderC"]),
    // The shared object of LV2 bundles.
    .library(name: "portative-lv2", type: .dynamic, targets: ["PortativeLV2"]),
    // The shared object of the CLAP plugins.
    .library(name: "portative-clap", type: .dynamic, targets: ["PortativeCLAP"]),
  ],
  targets: [
    // Libraries of the system, and C that Swift cannot express.
    .system("CSndFile", package: "libsndfile1-dev"),
    .system("CEBUR128", package: "libebur128-dev"),
    .system("CXXHash", package: "libxxhash-dev"),
    .system("CFluidSynth", package: "libfluidsynth-dev"),
    .system("CALSA", package: "libasound2-dev"),
    .system("CSegment"),
    .system("CLink"),
    .system("CPortative"),
    .system("CPortativeRender"),
    .system("CLV2", package: "lv2-dev"),
    .system("CCLAP"),
    .c("CCLAPEntry"),
    .c("CRender"),
    .c("CLinux", ["CRender"]),
    .c("CRealtimeProbe", ["CRender"]),
    .c("CFluidSynthOverrides", ["CRender", "CFluidSynth"]),
    // These load their library at run time.
    .c("CJACK"),
    .c("CPangoCairo"),
    .c("CKissFFT"),
    .c("CSampleRate"),
    .c("CLilv", ["CRender", "CLV2"]),
    .c("CSystemd"),
    .c("CWebSockets", exporting: "recv"),
    // Embeds the files in its folder page.
    .c("CPanelPage", excluding: ["page"]),

    .library("Core", "RenderCore", ["CRender"]),

    .library("Core", "LV2Atoms", ["RenderCore", "CLV2"]),

    .library("Platform", "LocalSystem", ["CLinux", "CSystemd"]),

    .library("Files", "MIDIFile", ["RenderCore"]),
    .library("Files", "ContentHash", ["LocalSystem", "CXXHash"]),
    .library("Files", "AudioFile", ["ContentHash", "CSndFile", "CEBUR128", "CSampleRate"]),
    .library("Files", "Configuration", ["LocalSystem"]),

    .library("Units", "Effects", ["RenderCore", "LocalSystem"]),
    .library("Units", "FluidSynthEngine", ["RenderCore", "ContentHash", "CFluidSynth", "CFluidSynthOverrides"]),

    .library("Units", "LV2Host", ["LV2Atoms", "LocalSystem", "CLilv"]),

    .library("Live", "LiveMIDI", ["RenderCore", "LocalSystem"]),
    // Starts portative-link, which is a program of its own because of its licence: see Link.
    .library("Live", "LiveAudio", ["LiveMIDI", "MIDIFile", "AudioFile", "Configuration", "CLink"]),

    .library("Nodes", "NodeProtocol", ["RenderCore", "LocalSystem", "CSegment"]),
    .library("Nodes", "NodeHost", ["NodeProtocol"]),
    .library("Nodes", "NodeServer", ["NodeProtocol", "LiveMIDI"]),

    .library("Devices", "ALSA", ["LiveAudio", "CALSA"]),
    .library("Devices", "JACKAudio", ["LiveAudio", "CJACK"]),

    .library("Rendering", "OfflineRenderer", ["MIDIFile", "AudioFile", "FluidSynthEngine", "CPangoCairo", "CKissFFT"]),
    .library("Rendering", "BatchRenderer", ["OfflineRenderer", "Configuration"]),

    .library("Hosting", "LivePlayer", ["BatchRenderer", "PluginNodes", "NodeChecks", "NodeHost", "NodeServer", "LiveAudio", "Effects", "CLink"]),
    .library("Hosting", "PluginNodes", ["LV2Host", "NodeHost", "NodeServer", "CRealtimeProbe"]),
    .library("Hosting", "NodeChecks", ["PluginNodes"]),
    .library("Hosting", "PortativeServer", ["LivePlayer", "PluginNodes", "LV2Host", "Configuration", "MIDIFile", "AudioFile", "FluidSynthEngine", "Effects", "NodeHost", "NodeServer", "ALSA", "JACKAudio"]),
    .library("Hosting", "WebPanel", ["PortativeServer", "CWebSockets", "CPanelPage"]),

    .library("Interface", "PluginBundles", ["NodeHost"]),
    .interface("Interface", "PortativeC", ["NodeHost", "NodeServer", "CPortative"], exporting: "Sources/C/CPortative/exports.map", soname: "libportative.so.0"),
    .interface("Interface", "PortativeRenderC", ["BatchRenderer", "CPortativeRender"], exporting: "Sources/C/CPortativeRender/exports.map", soname: "libportative-render.so.0"),
    .library("Interface", "PluginCore", ["PluginBundles"]),
    .library("Interface", "LV2Plugins", ["PluginCore", "LV2Atoms"]),
    .library("Interface", "CLAPPlugins", ["PluginCore", "Configuration", "CCLAP"]),
    .interface("Interface", "PortativeCLAP", ["CLAPPlugins", "CCLAPEntry"], exporting: "Sources/C/CCLAP/exports.map", soname: "portative.clap"),
    .interface("Interface", "PortativeLV2", ["LV2Plugins"], exporting: "Sources/C/CLV2/exports.map", soname: "portative.so"),

    .program("Sources/Command", "portative", ["LivePlayer", "PluginNodes", "NodeChecks", "LV2Host", "PortativeServer", "WebPanel", "PluginBundles"]),

    .program("Examples", "SineNode", ["NodeServer"]),
    .program("Examples", "ArpeggioNode", ["NodeServer"]),
    .program("Examples", "ChordHost", ["NodeHost"]),

    // `make bench`, and what it compares with.
    .program("Benchmarks", "bench", ["FluidSynthEngine", "CFluidSynth", "MIDIFile", "NodeHost", "NodeServer", "LiveAudio", "Effects"]),
    .executableTarget(name: "pingpong", path: "Benchmarks/pingpong", cSettings: [.define("_GNU_SOURCE")]),

    .tests("Core", "RenderCoreTests", ["RenderCore", "TestSupport"]),
    .tests("Platform", "LocalSystemTests", ["ProgramTestSupport"]),
    .tests("Files", "MIDIFileTests", ["MIDIFile", "TestSupport"]),
    .tests("Files", "ContentHashTests", ["ContentHash", "TestSupport"]),
    .tests("Files", "AudioFileTests", ["AudioFile", "TestSupport"]),
    .tests("Files", "ConfigurationTests", ["Configuration", "TestSupport"]),
    .tests("Units", "EffectsTests", ["Effects", "UnitTestSupport"]),
    .tests("Units", "FluidSynthTests", ["FluidSynthEngine", "MIDIFile", "TestSupport", "noisefont"]),
    .tests("Units", "LV2HostTests", ["LV2Host", "UnitTestSupport"]),
    .tests("Live", "LiveTests", ["SoundTestSupport"]),
    .tests("Nodes", "NodeProtocolTests", ["NodeProtocol", "TestSupport"]),
    .tests("Nodes", "NodeHostTests", ["ConnectionTestSupport"]),
    .tests("Nodes", "NodeServerTests", ["testnode"]),
    .tests("Nodes", "ExampleTests", ["ArpeggioNode", "ConnectionTestSupport"]),
    .tests("Devices", "ALSATests", ["ALSA", "SoundTestSupport"]),
    .tests("Devices", "JACKAudioTests", ["JACKAudio", "JACKTestSupport", "SoundTestSupport"]),
    .tests("Live", "LinkPeerTests", ["Effects", "SoundTestSupport"]),
    // In Tests/Rig only: `make test-alsa`.
    .tests("Devices", "ALSARigTests", ["portative", "JACKTestSupport", "SoundTestSupport", "ProgramTestSupport"]),
    .tests("Rendering", "OfflineRendererTests", ["OfflineRenderer", "TestSupport", "noisefont"]),
    .tests("Rendering", "BatchRendererTests", ["BatchRenderer", "ProgramTestSupport"]),
    .tests("Hosting", "NodeChecksTests", ["NodeChecks", "TestSupport"]),
    .tests("Hosting", "SongHostTests", ["LivePlayer", "NodeServer", "Effects", "SoundTestSupport", "CLink"]),
    .tests("Hosting", "LivePlayerTests", ["LivePlayer", "CLink", "TestSupport"]),
    .tests("Command", "LatencyTests", ["portative", "TestSupport"]),
    .tests("Hosting", "PortativeServerTests", ["OfflineRenderer", "SoundTestSupport", "ServerTestSupport"]),
    .tests("Hosting", "WebPanelTests", ["WebPanel", "SoundTestSupport", "ServerTestSupport"]),
    .tests("Hosting", "SoakTests", ["WebPanel", "SoundTestSupport", "ServerTestSupport"]),
    .tests("Interface", "LV2PluginsTests", ["LV2Plugins", "NodeServer", "ConnectionTestSupport"]),
    .tests("Interface", "PluginBundlesTests", ["PluginBundles", "NodeServer", "ConnectionTestSupport"]),
    .tests("Command", "CommandTests", ["portative", "ProgramTestSupport", "ConnectionTestSupport", "JACKTestSupport", "ServerTestSupport", "SoundTestSupport", "noisefont"], excluding: ["realtimekit.py"]),
    .tests("Benchmarks", "BenchTests", ["bench"]),

    .support("TestSupport", ["LocalSystem"]),
    // Plays scores on units.
    .support("UnitTestSupport", ["RenderCore", "TestSupport"]),
    .support("ConnectionTestSupport", ["NodeHost", "TestSupport"]),
    .support("SoundTestSupport", ["LiveAudio", "ConnectionTestSupport"]),
    .support("ServerTestSupport", ["WebPanel", "TestSupport"]),
    .support("JACKTestSupport", ["CJACK", "LocalSystem"]),
    // Runs the program that was built, as its users do.
    .support("ProgramTestSupport", ["MIDIFile", "CSndFile", "TestSupport"]),
    // A node or a host that tests start, and whose faults they provoke.
    .program("Tests/Support", "testnode", ["ConnectionTestSupport", "NodeServer"]),
    // Writes SoundFonts of any size.
    .program("Tests/Support", "noisefont"),
  ]
)

extension Target {
  static var strict: [SwiftSetting] {
    [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  }

  /// The folders whose code tests spend most of their time in.
  static let busyRooms = ["Core", "Files", "Nodes", "Rendering", "Units"]

  /// Whether to optimize debug builds, as the Makefile does: the tests then need half the processor time. It is not the
  /// default, because SwiftPM refuses such flags in a package on which others depend.
  static let isOptimized = Context.environment["OPTIMIZED"] != nil
  static let optimized: [SwiftSetting] =
    isOptimized
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

  static func system(_ name: String, package: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", providers: package.map { [.apt([$0])] })
  }

  /// - Parameter symbol: One that libraries find in a program that links the target, instead of that of the system.
  static func c(
    _ name: String, _ dependencies: [Dependency] = [], exporting symbol: String? = nil,
    excluding excluded: [String] = []
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/C/\(name)", exclude: excluded,
      cSettings: isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [],
      linkerSettings: symbol.map {
        [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=\($0)"])]
      })
  }

  static func library(
    _ room: String, _ name: String, _ dependencies: [Dependency], excluding excluded: [String] = []
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", exclude: excluded,
      swiftSettings: strict + (busyRooms.contains(room) ? optimized : []))
  }

  /// A library for other languages.
  ///
  /// - Parameter symbols: The linker's version script, which lists the exported symbols.
  static func interface(
    _ room: String, _ name: String, _ dependencies: [Dependency], exporting symbols: String,
    soname: String
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)",
      swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags([
          "-Xlinker", "--version-script=\(Context.packageDirectory)/\(symbols)",
          "-Xlinker", "-soname=\(soname)",
          // Its threads and Swift's runtime cannot be unloaded, as hosts do with plugins.
          "-Xlinker", "-z", "-Xlinker", "nodelete",
        ]),
        // Swift's libraries are in the library, as `--static-swift-stdlib` puts them into programs. So they find no
        // swift-backtrace beside them, for which they would handle signals of the host.
        .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
      ])
  }

  static func program(_ folder: String, _ name: String, _ dependencies: [Dependency] = []) -> Target
  {
    .executableTarget(
      name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strict)
  }

  static func tests(
    _ room: String, _ name: String, _ dependencies: [Dependency], excluding excluded: [String] = []
  ) -> Target {
    .testTarget(
      name: name, dependencies: dependencies, path: "Tests/\(room)/\(name)", exclude: excluded,
      swiftSettings: strict + (room == "Units" ? optimized : []))
  }

  static func support(_ name: String, _ dependencies: [Dependency]) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Tests/Support/\(name)",
      swiftSettings: strict + optimized)
  }
}
