/// An exit code of the program, and what it means.
struct ExitStatus: Equatable, Sendable {
  let code: Int
  let meaning: String

  init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }

  /// The exit codes of all verbs.
  static let all = [
    ExitStatus(0, "success"), ExitStatus(1, "failure"), ExitStatus(2, "wrong usage"),
    ExitStatus(3, "input unusable: a song or the configuration"),
    ExitStatus(4, "output not written"), ExitStatus(5, "SoundFont missing or unusable"),
    ExitStatus(6, "warnings under --strict"),
    ExitStatus(129, "ended by SIGHUP, as a shell reports it (serve: continues)"),
    ExitStatus(130, "ended by SIGINT, Ctrl-C (serve: 0)"),
    ExitStatus(141, "ended by SIGPIPE"), ExitStatus(143, "ended by SIGTERM (serve: 0)"),
  ]

  /// Returns those of ``all`` that a verb has.
  static func of(_ codes: Int...) -> [ExitStatus] { all.filter { codes.contains($0.code) } }
}

extension [ExitStatus] {
  /// The lines of the help.
  var help: String {
    map { status in
      let code = "\(status.code)"
      let gap = String(repeating: " ", count: 5 - code.count)
      return "  \(code)\(gap)\(status.meaning)"
    }.joined(separator: "\n")
  }
}
