import Foundation
import TestSupport
import Testing

private func text(_ file: String) throws -> String {
  try String(contentsOfFile: repositoryFile(file), encoding: .utf8)
}

@Suite(.timeLimit(.minutes(5))) struct PackagedSymbolTests {
  @Test(arguments: [
    (
      "libportative0",
      [
        "CPortative/portative/common.h", "CPortative/portative/host.h",
        "CPortative/portative/node.h",
      ]
    ),
    ("libportative-render0", ["CPortativeRender/portative/render.h"]),
  ])
  func `the package of a library lists the functions of its headers`(
    package: String, headers: [String]
  ) throws {
    let code = try headers.flatMap { header in
      try text("Sources/C/\(header)").split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    }
    let declared = code.flatMap { $0.matches(of: /\b(portative_\w+)\(/).map(\.output.1) }
    let listed = try text("debian/\(package).symbols").matches(of: /\n (portative_\w+)@/)
      .map(\.output.1)
    #expect(Set(declared) == Set(listed) && listed.count > 20)
  }
}
