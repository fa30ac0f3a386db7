import FoundationEssentials
import Glibc
package import LocalSystem
package import NodeProtocol

/// A program that publishes ports, started for a check, with folders of its own.
package final class CheckedProgram {
  package let environment: ProcessEnvironment
  private let folder: String
  private let program: DetachedProgram

  /// The longest wait for the first port, and for the end of the program.
  private static let limit = Duration.seconds(10)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: An executable file.
  ///   - log: The descriptor that receives what it writes.
  package init(_ path: String, _ arguments: [String], log: CInt) throws(Failure) {
    var template = Array("/tmp/portative-check-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.failed, "cannot make a folder in /tmp: \(SystemError(call: "mkdtemp"))")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var variables = ProcessEnvironment.current.variables
    for name in ["RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME", "DATA_HOME"] {
      let path = "\(folder)/\(name.lowercased())"
      mkdir(path, 0o700)
      variables["XDG_\(name)"] = path
    }
    environment = ProcessEnvironment(variables: variables)
    do throws(SystemError) {
      program = try DetachedProgram(
        path, arguments: [path] + arguments, variables: variables, log: log)
    } catch {
      throw Failure(.failed, "cannot start '\(path)': \(error)")
    }
  }

  deinit {
    program.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Waits for the ports of the program.
  package func components() throws(Failure) -> [Component] {
    let end = ContinuousClock.now + Self.limit
    while ContinuousClock.now < end {
      let components = ComponentRegistry(environment).components().filter(\.isRunning)
      if !components.isEmpty { return components }
      if let ending = program.ending {
        throw Failure(.failed, "the program \(ending) before it published a port")
      }
      usleep(20_000)
    }
    throw Failure(
      .failed,
      "the program published no port in \(environment.variables["XDG_RUNTIME_DIR"] ?? "")/portative within 10 s"
    )
  }

  /// Ends the program, and says whether it ends as a node does.
  package func end() -> CheckRow {
    _ = Glibc.kill(program.pid, SIGTERM)
    guard let ending = program.waitForEnd(atMost: Self.limit) else {
      return CheckRow(.end, .bad, "does not end", "SIGTERM has not ended the program within 10 s.")
    }
    if ending != .exited(status: 0) {
      return CheckRow(.end, .warning, "\(ending)", "A node that SIGTERM ends should exit with 0.")
    }
    let left = ((try? Folder.names(in: NodeDirectories(environment).runtime)) ?? []).sorted()
    return left.isEmpty
      ? CheckRow(.end, .good, "exits at SIGTERM", "and removes its files")
      : CheckRow(
        .end, .bad, "leaves \(left.joined(separator: ", "))",
        "A node that ends removes its files, so that hosts do not try to reach it.")
  }
}
