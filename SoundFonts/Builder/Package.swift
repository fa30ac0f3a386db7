// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// The bundled SoundFont and song, and the program that writes them. Needs no library.
let package = Package(
  name: "SoundFontBuilder",
  targets: [
    .target(name: "SoundFontBuilder", swiftSettings: strict),
    .executableTarget(
      name: "makesounds", dependencies: ["SoundFontBuilder"], swiftSettings: strict),
    .testTarget(
      name: "SoundFontBuilderTests", dependencies: ["SoundFontBuilder"], swiftSettings: strict),
  ]
)
