import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import Configuration
@testable import portative

@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
  /// Presses Tab in bash, zsh and fish.
  @Test func `shells complete verbs, options, values, files and ports`() throws {
    let check = try Program(
      [repositoryFile("Tests/Completions/check.py"), Program.path.path()],
      program: "/usr/bin/python3")
    let result = try check.result(within: 500)
    #expect(result.exitCode == 0, "\(result.outputText)\(result.errors)")
  }

  @Test func `every option is in the completions of every shell`() {
    let bash = BashCompletion.text(Verbs.all)
    let zsh = ZshCompletion.text(Verbs.all)
    let fish = FishCompletion.text(Verbs.all)
    for verb in Verbs.all {
      #expect(zsh.contains("\n        '\(verb.name):"))
      for name in verb.help().options.flatMap(\.names) {
        #expect(bash.contains(" \(name)"), "\(verb.name) \(name)")
        #expect(zsh.contains(name), "\(verb.name) \(name)")
        let flag = name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
        #expect(
          fish.split(separator: "\n").contains {
            $0.contains("'__portative_at \(verb.name)'") && $0.contains(" \(flag)")
          }, "\(verb.name) \(name)")
      }
    }
  }

  @Test func `values come from the table of options`() {
    #expect(OptionCompletion(value: "on|off") == .words(["on", "off"]))
    #expect(OptionCompletion(value: "16|24|32f") == .words(["16", "24", "32f"]))
    #expect(OptionCompletion(value: "FILE") == .files([]))
    #expect(OptionCompletion(value: "DIR") == .folders)
    #expect(OptionCompletion(value: "SECONDS") == .nothing)
    let formats = RenderArguments.table.entries.first { $0.names == ["--format"] }
    guard case .words(let words)? = formats?.completion else {
      Issue.record("--format has no words")
      return
    }
    // Each is accepted.
    for word in words {
      #expect(throws: Never.self) { try RenderArguments(["--format", word, "a.mid"]) }
    }
  }

  @Test func `an unknown shell is refused`() throws {
    let result = try Program.run("completion", "tcsh")
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("bash, zsh or fish"))
  }
}
