import Foundation
import TestSupport
import Testing

@testable import ProgramTestSupport

/// The helper with which tests run programs.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
  /// The files that this process has open in a folder.
  private func openFiles(in folder: String) throws -> [String] {
    let own = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: own).compactMap { name in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")
    }.filter { $0.hasPrefix(folder) }
  }

  @Test func `a program leaves no file open, neither while it runs nor afterwards`() throws {
    let program = try Program(["60"], program: "/usr/bin/sleep")
    #expect(try openFiles(in: program.folder.path) == [])
    program.send(SIGTERM)
    #expect(try program.result().signal == SIGTERM)
    #expect(try openFiles(in: program.folder.path) == [])
  }

  @Test func `what a program writes can be read although the files are closed here`() throws {
    let result = try Program(["-c", "echo one; echo two >&2"], program: "/bin/sh").result()
    #expect(result.outputText == "one\n" && result.errors == "two\n" && result.exitCode == 0)
  }

  @Test func `a program that cannot be started leaves no file open either`() throws {
    let before = try openFiles(in: "/").filter { $0.contains("/err") }.count
    for _ in 0..<20 {
      #expect(throws: (any Error).self) { try Program([], program: "/nonexistent/program") }
    }
    #expect(try openFiles(in: "/").filter { $0.contains("/err") }.count < before + 20)
  }
}
