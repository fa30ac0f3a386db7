import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

private func text(_ file: String) throws -> String {
  try String(contentsOfFile: repositoryFile(file), encoding: .utf8)
}

@Suite(.timeLimit(.minutes(5))) struct VersionTests {
  @Test func `every file that states the version has the same one`() throws {
    #expect(try text("CHANGELOG.md").contains("\n## \(portativeVersion) "))
    #expect(
      try text("Python/portative/__init__.py").contains("\n__version__ = \"\(portativeVersion)\"\n")
    )
    let numbers = try text("Sources/C/CPortative/portative/common.h").split(separator: "\n")
      .filter { $0.hasPrefix("#define PORTATIVE_VERSION_") }
      .compactMap { $0.split(separator: " ").last }
    #expect(numbers.joined(separator: ".") == portativeVersion)
    let ports = try text("nodes/portative.json").split(separator: "version: \"").dropFirst()
    #expect(ports.count == 7)
    for port in ports { #expect(port.hasPrefix("\(portativeVersion)\"")) }
    let rows = try text("README.md").split(separator: "\n").filter { $0.contains(" Ptvo ") }
    #expect(rows.count == 4)
    for row in rows { #expect(row.contains(" \(portativeVersion) "), "\(row)") }
    let script = try Program([], program: repositoryFile("tools/version")).result()
    #expect(script.outputText == "\(portativeVersion)\n")
  }

  @Test func `the versions are those of the libraries that are loaded, or absent`() throws {
    let libraries = LibraryVersion.all
    #expect(
      libraries.map(\.name).prefix(5) == [
        "FluidSynth", "libsndfile", "libebur128", "xxHash", "alsa-lib",
      ])
    for library in libraries.prefix(5) {
      let version = try #require(library.version, "\(library.name)")
      #expect(version.split(separator: ".").count >= 3, "\(library.name) \(version)")
      #expect(version.first?.isNumber == true)
    }
    #expect(LibraryVersion(name: "x", version: nil).text == "x not installed")
    let result = try Program.run("--version", "--json")
    let object = try #require(result.outputText.objects.first)
    #expect(object["version"] as? String == portativeVersion)
    #expect((object["libraries"] as? [Any])?.count == libraries.count)
    #expect(try Program.run("--version", "--jsn").exitCode == 2)
  }
}
