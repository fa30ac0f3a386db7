package import Testing

extension ExitTest.Condition {
  /// How RealtimeSanitizer ends a process: LLVM 20, which Swift 6.3 has, with the exit code 43, and LLVM 19 with 1.
  package static var realtimeViolation: Self {
    #if compiler(>=6.3)
      .exitCode(43)
    #else
      .exitCode(1)
    #endif
  }
}
