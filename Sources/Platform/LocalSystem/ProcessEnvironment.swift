import Glibc

/// The environment of a program: environment variables, the program's own path, and the system's folders.
///
/// It is a value, so that a test can use another environment.
public struct ProcessEnvironment: Sendable {
  public var variables: [String: String]
  /// The path of the running program, with all links resolved.
  public var executable: String?
  /// A prefix for the system's paths `/usr` and `/etc`; empty except in tests.
  public var root = ""

  public init(variables: [String: String], executable: String? = nil, root: String = "") {
    self.variables = variables
    self.executable = executable
    self.root = root
  }

  /// The environment of this process.
  public static var current: Self {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(platformString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return Self(variables: variables, executable: resolvedPath("/proc/self/exe"))
  }

  /// The folder in which the program is installed: `/usr` if its path is `/usr/bin/portative`, and empty if it is
  /// `/bin/portative`.
  package var prefix: String? {
    executable.map { path in path.pathParts.dropLast(2).map { "/\($0)" }.joined() }
  }

  /// Returns the value of a variable; `nil` if it is unset or empty.
  package func variable(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a folder of the XDG Base Directory Specification. A relative path is ignored, as the specification says.
  ///
  /// - Parameters:
  ///   - name: The variable.
  ///   - fallback: The folder in the home folder if the variable is not set.
  /// - Returns: `nil` if neither the variable nor `HOME` is set.
  package func folder(_ name: String, inHome fallback: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { "\($0)/\(fallback)" }
  }

  /// Returns the absolute path for a path in a configuration file, in which `~/` is the home folder.
  ///
  /// - Parameter folder: The folder to which other relative paths refer.
  package func path(_ text: String, relativeTo folder: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/"), let home = variable("HOME") { return home + text.dropFirst() }
    return "\(folder)/\(text)"
  }
}

extension ProcessEnvironment {
  /// The bytes of memory that programs can allocate without swapping; `nil` if unknown.
  ///
  /// Source: `proc_meminfo(5)`, "MemAvailable".
  package static var availableMemory: Int? {
    guard let bytes = try? WholeFile.read("/proc/meminfo", limit: 1 << 16) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
