import Foundation

/// What a program has written when it has ended.
struct ToolResult {
  let status: Int32
  /// Standard output and standard error.
  let text: String

  /// Runs a program to its end.
  ///
  /// - Parameter variables: The environment; `nil` for that of the tests.
  init(of path: String, _ arguments: [String], variables: [String: String]? = nil) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    if let variables { process.environment = variables }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
