/// How the program ended, for the shell. A program killed by a signal ends by that signal instead.
enum ExitCode: Int32 {
  case done = 0
  case failed = 1
  case usage = 2
  case inputUnusable = 3
  case outputNotWritten = 4
  case soundFontUnusable = 5
  /// Something was odd, and `--strict` asked to fail for it.
  case warnings = 6
}
