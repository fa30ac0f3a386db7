package import Foundation
import TestSupport

/// The result of a run of the built program.
package struct ProgramResult {
  package var exitCode: Int32?
  /// The signal that ended the program, or `nil`.
  package var signal: Int32?
  package var output: Data
  package var errors: String
  package var outputText: String { String(decoding: output, as: UTF8.self) }
}

/// The built program, or another one, run as a separate process.
package final class Program {
  package let process = Process()
  /// Contains what the program has written.
  let folder: TemporaryFolder

  /// The path of the program, next to the test bundle.
  package static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "portative")

  /// A timeout, with the program's standard error up to then, and where its threads were, or how it had ended.
  package struct TimeoutError: Error {
    package var errors: String
    package var stacks: String
    /// The exit code, or the signal as a negative number; `nil` if the program was running.
    package var end: Int32?

    package init(errors: String = "", stacks: String = "", end: Int32? = nil) {
      self.errors = errors
      self.stacks = stacks
      self.end = end
    }
  }

  /// Starts the program. Its output goes to files, so that it never blocks on the test.
  ///
  /// - Parameters:
  ///   - program: The program's path; by default, the built program.
  ///   - wrapper: A program with arguments that starts this program, for example with fewer privileges.
  package init(
    _ arguments: [String], program: String = Program.path.path(),
    variables: [String: String] = [:], input: String = "/dev/null",
    outputPath: String? = nil, through wrapper: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    let command = wrapper + [program] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    var environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    environment.merge(Sanitizer.variables) { _, new in new }
    environment.merge(variables) { _, new in new }
    process.environment = environment
    for name in ["out", "err"] {
      _ = FileManager.default.createFile(atPath: folder(name), contents: nil)
    }
    let streams = [
      FileHandle(forReadingAtPath: input),
      FileHandle(forWritingAtPath: outputPath ?? folder("out")),
      FileHandle(forWritingAtPath: folder("err")),
    ]
    // Foundation keeps the handles open as long as the program runs, and some longer.
    defer { for stream in streams { try? stream?.close() } }
    process.standardInput = streams[0]
    process.standardOutput = streams[1]
    process.standardError = streams[2]
    Self.unblockSignals()
    try process.run()
  }

  /// Unblocks all signals and resets the handling of termination signals.
  ///
  /// A program inherits the signal mask of the thread that starts it, and the threads of tests block all signals.
  /// It also inherits ignored signals, and a background process ignores those of the terminal.
  private static func unblockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// The standard error output so far.
  package var errors: String {
    String(decoding: (try? Data(contentsOf: URL(filePath: folder("err")))) ?? Data(), as: UTF8.self)
  }

  /// The standard output so far.
  package var output: String {
    String(decoding: (try? Data(contentsOf: URL(filePath: folder("out")))) ?? Data(), as: UTF8.self)
  }

  /// The size of the largest open unnamed file (`O_TMPFILE`) of the program and its child processes, in bytes.
  package var unnamedBytes: Int {
    ([process.processIdentifier] + children).flatMap { process in
      let folder = "/proc/\(process)/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.map { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        var status = stat()
        guard target?.hasSuffix(" (deleted)") == true, target?.contains("/#") == true,
          stat("\(folder)/\(name)", &status) == 0
        else { return 0 }
        return Int(status.st_size)
      }
    }.max() ?? 0
  }

  /// The processes that the program has started and that have not ended.
  package var children: [Int32] {
    let process = process.processIdentifier
    let text = try? String(
      contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return text?.split(separator: " ").compactMap { Int32($0) } ?? []
  }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The error for a program that does not do in time what a test expects.
  package var timeout: TimeoutError {
    if process.isRunning {
      return TimeoutError(errors: errors, stacks: stacksOfThreads(of: process.processIdentifier))
    }
    let isSignal = process.terminationReason == .uncaughtSignal
    return TimeoutError(
      errors: errors, end: isSignal ? -process.terminationStatus : process.terminationStatus)
  }

  /// Waits until a condition is true. The limit only ends a wait for a program that hangs.
  ///
  /// - Throws: ``TimeoutError`` if the condition is false after 60 seconds or the program has ended.
  package func wait(until isTrue: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isTrue() {
      if ContinuousClock.now > deadline || !process.isRunning { throw timeout }
      usleep(2000)
    }
  }

  /// Waits until the program ends.
  ///
  /// - Throws: ``TimeoutError`` if it was still running after `seconds` and was killed.
  package func result(within seconds: Double = 60) throws -> ProgramResult {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while process.isRunning {
      if ContinuousClock.now > deadline {
        let timeout = timeout
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        throw timeout
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
