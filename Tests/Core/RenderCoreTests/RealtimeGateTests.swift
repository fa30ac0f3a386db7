import Foundation
import Testing

/// Checks that the compiler's realtime annotations still reject code that allocates, locks or blocks.
@Suite(.timeLimit(.minutes(5))) struct RealtimeGateTests {
  static let refused: [(what: String, code: String)] = [
    ("an array", "@_noLocks func f(_ n: Int) -> Int { [n, n].count }"),
    (
      "a class",
      "final class C { var x = 0 }\n@_noLocks func f() -> Int { let c = C(); return c.x }"
    ),
    ("a print", "@_noLocks func f() { print(1) }"),
    ("a C function without a promise", "import Glibc\n@_noLocks func f() { usleep(1) }"),
    (
      "a function that is not annotated and allocates",
      "@inline(never) func g(_ n: Int) -> [Int] { Array(0..<n) }\n"
        + "@_noLocks func f() -> Int { g(3).count }"
    ),
    (
      "a call through an existential",
      "@_noLocks func f(_ x: any CustomStringConvertible) -> Int { x.description.count }"
    ),
  ]

  @Test(arguments: refused.indices)
  func `the compiler refuses code on a render path that may lock or allocate`(index: Int) throws {
    let output = try compile(Self.refused[index].code)
    #expect(output.contains("error:"), "\(Self.refused[index].what) was accepted")
    #expect(
      output.contains("lock") || output.contains("allocat") || output.contains("unpredictable"),
      "refused for another reason: \(output)")
  }

  @Test func `the compiler accepts arithmetic on allocated memory`() throws {
    let code = """
      @_noLocks func f(_ x: UnsafeMutablePointer<Float>, _ n: Int) {
        for i in 0..<n { x[i] *= 0.5 }
      }
      """
    #expect(try compile(code) == "")
  }

  /// Compiles code up to the stage at which the compiler checks the annotations.
  private func compile(_ code: String) throws -> String {
    let source = FileManager.default.temporaryDirectory
      .appending(path: "gate-\(UUID().uuidString).swift")
    try code.write(to: source, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: source) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null",
      source.path(),
    ]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
