import Glibc

/// What a program finds around it: environment variables, its own place, and the system's folders.
///
/// A value, so that a test may give another one.
public struct ProcessEnvironment: Sendable {
  public var variables: [String: String]
  /// The running program's own file, without links.
  public var executable: String?
  /// Put before the system's paths, `/usr` and `/etc`; empty outside tests.
  public var root = ""

  public init(variables: [String: String], executable: String? = nil, root: String = "") {
    self.variables = variables
    self.executable = executable
    self.root = root
  }

  /// Those of this process.
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

  /// A variable that is set to something.
  package func variable(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A folder of the XDG Base Directory Specification, which ignores relative ones.
  package func folder(_ name: String, inHome fallback: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { "\($0)/\(fallback)" }
  }

  /// A path as a person writes it in a file: with `~/` for home, or relative to `folder`.
  package func path(_ text: String, relativeTo folder: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/"), let home = variable("HOME") { return home + text.dropFirst() }
    return "\(folder)/\(text)"
  }
}

extension ProcessEnvironment {
  /// Bytes of memory that programs may still take without others being pushed out; `nil` where nobody
  /// knows.
  ///
  /// Source: `proc_meminfo(5)`, "MemAvailable".
  package static var availableMemory: Int? {
    guard let bytes = try? WholeFile.read("/proc/meminfo", limit: 1 << 16) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
