import LocalSystem

/// The exit status of the program. A program killed by a signal ends by that signal instead.
enum ExitCode: Int32 {
  case done = 0
  case failed = 1
  case usage = 2
  case inputUnusable = 3
  case outputNotWritten = 4
  case soundFontUnusable = 5
  /// There were warnings, and `--strict` treats them as errors.
  case warnings = 6

  /// - Parameter kind: The kind of the failure; `nil` for success.
  init(_ kind: Failure.Kind?) {
    self =
      switch kind {
      case nil: .done
      case .failed: .failed
      case .usage: .usage
      case .inputUnusable: .inputUnusable
      case .outputNotWritten: .outputNotWritten
      case .soundFontUnusable: .soundFontUnusable
      case .warnings: .warnings
      }
  }
}

extension Failure {
  var exitCode: ExitCode { ExitCode(kind) }
}
