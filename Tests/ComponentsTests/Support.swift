import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport

@testable import Components

func component(
  _ subtype: String, type: PortType = .instrument
) throws -> ComponentDescription {
  ComponentDescription(
    type: type, subtype: try FourCharacterCode(subtype), manufacturer: try FourCharacterCode("Ptvo")
  )
}

func port(
  _ subtype: String, type: PortType = .instrument, name: String = "Maker: Organ",
  version: String = "1.2.3", icon: String? = nil, tags: [String] = []
) throws -> PortDescription {
  try PortDescription(
    component: component(subtype, type: type), name: name, version: SemanticVersion(version),
    icon: icon, tags: tags)
}

struct TookTooLong: Error {}

/// Waits until `isTrue`; if that does not come about in 20 seconds, it is an error.
func wait(until isTrue: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while try !isTrue() {
    if ContinuousClock.now > deadline { throw TookTooLong() }
    usleep(1000)
  }
}

/// The folders of one user, who has only what a test puts there.
final class TemporaryNodes {
  let system = TemporarySystem()
  var directories: NodeDirectories { NodeDirectories(system.surroundings) }

  init() throws {
    try system.add("runtime/x", "")
    system.surroundings.variables["XDG_RUNTIME_DIR"] = "\(system.root)/runtime"
    system.surroundings.variables["PATH"] = "\(system.root)/bin:/usr/bin:/bin"
  }

  /// Writes a program.
  ///
  /// - Returns: Its path.
  func addScript(_ name: String, _ lines: String) throws -> String {
    let path = try system.add("bin/\(name)", "#!/bin/sh\n\(lines)\n")
    if chmod(path, 0o755) != 0 { throw CocoaError(.fileWriteUnknown) }
    return path
  }
}
