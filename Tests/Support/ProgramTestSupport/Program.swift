package import Foundation

/// How a run of the built program ended.
package struct ProgramResult {
  package var exitCode: Int32?
  /// The signal that it died by.
  package var signal: Int32?
  package var output: Data
  package var errors: String
  package var outputText: String { String(decoding: output, as: UTF8.self) }
}

/// The built program, run as a process of its own.
package final class Program {
  package let process = Process()
  private let folder: TemporaryFolder

  /// It lies beside the bundle of the tests.
  package static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "portative")

  /// With what it had said by then.
  package struct TookTooLong: Error {
    package var errors: String

    package init(errors: String = "") { self.errors = errors }
  }

  /// Starts it. Its output goes to files, so that it never waits for the test.
  ///
  /// - Parameter wrapper: A program and its arguments that starts it in turn, with fewer rights for instance.
  package init(
    _ arguments: [String], variables: [String: String] = [:], input: String = "/dev/null",
    outputPath: String? = nil, through wrapper: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    let words = wrapper + [Self.path.path()] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    var environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    environment.merge(variables) { _, new in new }
    process.environment = environment
    for name in ["out", "err"] {
      _ = FileManager.default.createFile(atPath: folder(name), contents: nil)
    }
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle(forWritingAtPath: outputPath ?? folder("out"))
    process.standardError = FileHandle(forWritingAtPath: folder("err"))
    Self.letSignalsThrough()
    try process.run()
  }

  /// A program has those blocked that the thread has that starts it, and tests' threads have all; and
  /// in the background, those for the terminal are ignored.
  private static func letSignalsThrough() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// What it has said on standard error up to now.
  package var errors: String {
    String(decoding: (try? Data(contentsOf: URL(filePath: folder("err")))) ?? Data(), as: UTF8.self)
  }

  /// What it has written to standard output up to now.
  package var output: String {
    String(decoding: (try? Data(contentsOf: URL(filePath: folder("out")))) ?? Data(), as: UTF8.self)
  }

  /// Bytes that it has written to files that have no name yet.
  package var unnamedBytes: Int {
    let folder = "/proc/\(process.processIdentifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      var status = stat()
      guard target?.hasSuffix(" (deleted)") == true, target?.contains("/#") == true,
        stat("\(folder)/\(name)", &status) == 0
      else { return 0 }
      return Int(status.st_size)
    }.max() ?? 0
  }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits until `isTrue`; if that does not come about in 20 seconds, it is an error.
  package func wait(until isTrue: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !isTrue() {
      if ContinuousClock.now > deadline || !process.isRunning { throw TookTooLong(errors: errors) }
      usleep(2000)
    }
  }

  /// Waits for its end; after `seconds` it is killed, and that is an error.
  package func result(within seconds: Double = 20) throws -> ProgramResult {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while process.isRunning {
      if ContinuousClock.now > deadline {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        throw TookTooLong(errors: errors)
      }
      usleep(2000)
    }
    let died = process.terminationReason == .uncaughtSignal
    return ProgramResult(
      exitCode: died ? nil : process.terminationStatus,
      signal: died ? process.terminationStatus : nil,
      output: try Data(contentsOf: URL(filePath: folder("out"))),
      errors: try String(contentsOfFile: folder("err"), encoding: .utf8))
  }

  package static func run(_ arguments: String..., variables: [String: String] = [:]) throws
    -> ProgramResult
  {
    try Program(arguments, variables: variables).result()
  }
}
