import FoundationEssentials
import Glibc
package import LocalSystem
package import NodeProtocol

/// Folders that a checked program has for itself, and that are removed with this object.
package final class CheckFolders: Sendable {
  package let environment: ProcessEnvironment
  let path: String

  package init() throws(Failure) {
    var template = Array("/tmp/portative-check-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.failed, "cannot make a folder in /tmp: \(SystemError(call: "mkdtemp"))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var variables = ProcessEnvironment.current.variables
    for name in ["RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME", "DATA_HOME"] {
      let folder = "\(path)/\(name.lowercased())"
      mkdir(folder, 0o700)
      variables["XDG_\(name)"] = folder
    }
    environment = ProcessEnvironment(variables: variables)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A program that is started for a check, with folders of its own.
package final class CheckedProgram {
  package var environment: ProcessEnvironment { folders.environment }
  private let folders: CheckFolders
  let program: DetachedProgram

  /// The longest wait for the first port, and for the end of the program.
  private static let limit = Duration.seconds(10)

  /// Starts a program in the working directory.
  ///
  /// - Parameters:
  ///   - path: An executable file.
  ///   - log: The descriptor that receives what it writes.
  package init(
    _ path: String, _ arguments: [String], in folders: CheckFolders, log: CInt
  ) throws(Failure) {
    self.folders = folders
    do throws(SystemError) {
      program = try DetachedProgram(
        path, arguments: [path] + arguments, variables: folders.environment.variables, log: log,
        folder: FileManager.default.currentDirectoryPath)
    } catch {
      throw Failure(.failed, "cannot start '\(path)': \(error)")
    }
  }

  deinit { program.kill() }

  /// Waits for the ports of the program.
  package func components() throws(Failure) -> [Component] {
    let end = ContinuousClock.now + Self.limit
    while ContinuousClock.now < end, Interruption.signal == nil {
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
