import FoundationEssentials
import Glibc
import LiveAudio
import LocalSystem
import Synchronization
import TestSupport
import Testing

/// What a program has reported.
final class Reports: Sendable {
  private let all = Mutex<[String]>([])

  var lines: [String] { all.withLock { $0 } }

  func append(_ line: String, isError: Bool) {
    all.withLock { $0.append(isError ? "error: \(line)" : line) }
  }
}

/// A shell script instead of `portative-link`.
@Suite(.timeLimit(.minutes(5))) struct LinkProgramTests {
  private let system = TemporarySystem()
  private let reports = Reports()

  private func start(_ script: String) throws -> LinkProgram {
    let path = try system.add("bin/portative-link", "#!/bin/sh\n\(script)\n")
    chmod(path, 0o755)
    system.environment.variables["PATH"] = "/nowhere:\(system.root)/bin"
    for _ in 0..<500 {
      do {
        return try LinkProgram(in: system.environment) { [reports] in
          reports.append($0, isError: $1)
        }
      } catch let error where "\(error)".contains("Text file busy") {
        // Another test has forked while the script was open, and has not executed its program yet.
        usleep(10_000)
      }
    }
    throw Failure(.failed, "the script stays busy")
  }

  @Test func `a missing program is named, with the remedy`() throws {
    system.environment.variables["PATH"] = "/nowhere"
    let error = #expect(throws: Failure.self) {
      try LinkProgram(in: system.environment) { _, _ in }
    }
    #expect(error?.message.contains("portative-link") == true)
    #expect(error?.message.contains("make install-link") == true)
  }

  @Test func `the number of other programs is reported`() throws {
    let program = try start("echo peers 0; echo peers 2; echo peers 1; echo nonsense; read line")
    defer { program.stop() }
    #expect(eventually { reports.lines.count >= 3 })
    #expect(
      reports.lines == [
        "Link: no other program yet, 120.0 BPM", "Link: with 2 other programs, 120.0 BPM",
        "Link: with 1 other program, 120.0 BPM",
      ])
  }

  @Test func `a program that ends is started again`() throws {
    let file = system.root + "/starts"
    let program = try start("echo start $1 >> '\(file)'; kill -9 $$")
    defer { program.stop() }
    #expect(
      eventually {
        (try? String(contentsOfFile: file, encoding: .utf8)) == "start 120.0\nstart 120.0\n"
      })
    #expect(
      reports.lines.first
        == "error: Link: portative-link was ended by signal 9; starting it again in 1 s")
  }

  @Test func `a program that worked before it ended is started again as soon as the first time`()
    throws
  {
    let file = system.root + "/starts"
    let program = try start(
      "echo x >> '\(file)'; [ $(wc -l < '\(file)') -ne 3 ] || sleep 6; kill -9 $$")
    defer { program.stop() }
    #expect(eventually { reports.lines.count == 3 })
    #expect(reports.lines.map { $0.suffix(6) } == ["in 1 s", "in 2 s", "in 1 s"])
  }

  @Test func `a program that floods with lines does no harm`() throws {
    let program = try start("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo peers 7; read line")
    defer { program.stop() }
    #expect(eventually { reports.lines.first?.contains("with 7 other programs") == true })
  }

  @Test func `a program that hangs is ended`() throws {
    let program = try start("echo peers 0; exec sleep 1000")
    #expect(eventually { !reports.lines.isEmpty })
    program.stop()
  }

  @Test func `commands are lines`() throws {
    let file = system.root + "/commands"
    let program = try start("echo peers 0; cat > '\(file)'")
    program.send(.tempo(97.5))
    program.send(.play)
    program.send(.stop)
    #expect(eventually { !reports.lines.isEmpty })
    #expect(
      eventually {
        (try? String(contentsOfFile: file, encoding: .utf8)) == "tempo 97.5\nplay\nstop\n"
      })
    program.stop()
    // There is no program any more.
    program.send(.play)
  }
}
