// swift-tools-version: 6.2

import PackageDescription

// Programs outside the package, as their authors write them: with its products NodeHost and NodeServer only.
let package = Package(
  name: "Clients",
  dependencies: [.package(name: "Portative", path: "../../..")],
  targets: [
    .executableTarget(
      name: "phrase", dependencies: [.product(name: "NodeHost", package: "Portative")]),
    .executableTarget(
      name: "sine", dependencies: [.product(name: "NodeServer", package: "Portative")]),
  ]
)
