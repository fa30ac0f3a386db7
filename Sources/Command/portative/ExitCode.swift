import LocalSystem

/// The exit status of the program. A program killed by a signal ends by that signal instead.
struct ExitCode: Equatable {
  let rawValue: Int32

  static let done = ExitCode(nil)
  static let failed = ExitCode(.failed)
  static let usage = ExitCode(.usage)
  static let inputUnusable = ExitCode(.inputUnusable)
  static let outputNotWritten = ExitCode(.outputNotWritten)
  static let soundFontUnusable = ExitCode(.soundFontUnusable)
  static let warnings = ExitCode(.warnings)

  /// - Parameter kind: The kind of the failure; `nil` for success.
  init(_ kind: Failure.Kind?) { rawValue = kind?.rawValue ?? 0 }
}

extension Failure {
  var exitCode: ExitCode { ExitCode(kind) }
}
