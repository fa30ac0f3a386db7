import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import Configuration
@testable import portative

private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

@Suite(.timeLimit(.minutes(5))) struct ManualTests {
  private let pages = lines((try? Program.run("manual").outputText) ?? "")

  @Test func `there is a page for the program, its configuration and each verb`() throws {
    #expect(
      Set(pages)
        == Set(["portative.1", "portative.conf.5"] + Verbs.all.map { "portative-\($0.name).1" }))
    let unknown = try Program.run("manual", "portative-rendr.1")
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.contains("there is no manual page 'portative-rendr.1'"))
  }

  @Test func `mandoc has no warning about a page`() throws {
    let folder = try TemporaryFolder()
    for page in pages {
      let text = try Program.run("manual", page).outputText
      _ = try folder.createFile(page, Data(text.utf8))
    }
    let mandoc = try Program(
      ["-T", "lint", "-W", "warning"] + pages.map(folder.callAsFunction), program: "/usr/bin/mandoc"
    )
    let result = try mandoc.result()
    #expect(result.outputText == "")
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `a page has every option of its verb, with its value`() throws {
    for verb in Verbs.all {
      let page = ManualPage.verb(verb).text
      #expect(!verb.help().options.isEmpty)
      for option in verb.help().options {
        for name in option.names {
          #expect(page.contains("Fl \(Mdoc.escaped(name.dropFirst()))"), "\(verb.name) \(name)")
        }
        if let value = option.value {
          #expect(page.contains(" Ar \(Mdoc.argument(value))\n"), "\(verb.name) \(option.names)")
        }
      }
    }
  }

  @Test func `a page refers to pages that exist`() throws {
    let known = Set(pages.map { String($0.prefix { $0 != "(" }) } + ["portative-protocol.7"])
    for page in pages {
      for line in lines(try Program.run("manual", page).outputText) {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "Xr") ?? words.firstIndex(of: ".Xr") else {
          continue
        }
        let name = words[index + 1].replacing("\\-", with: "-")
        #expect(known.contains("\(name).\(words[index + 2])"), "\(page): \(line)")
      }
    }
  }

  @Test func `text cannot become a macro, a font or a break`() {
    #expect(Mdoc.sentences(".Sh is 'text', and so is \\fB") == "\\&.Sh is 'text', and so is \\efB")
    #expect(
      Mdoc.sentences("'a' b. Use --gain DB.", placeholders: ["DB"])
        == "\\&'a' b.\nUse \\fB\\-\\-gain\\fP \\fIDB\\fP.")
    #expect(Mdoc.argument("Ar") == "\\&Ar")
    #expect(Mdoc.escaped("…\u{1F3B9}") == "\\[u2026]\\[u1F3B9]")
    #expect(Mdoc.literal([".x"]).contains("\n\\&.x\n"))
  }

  @Test func `the program lists every verb`() {
    let overview = lines(Help.overview(Verbs.groups))
    for verb in Verbs.all {
      #expect(overview.contains { $0.hasPrefix("  \(verb.name) ") }, "\(verb.name)")
    }
  }

  @Test
  func `there are at most seventeen verbs, and help begins with examples and ends with exit codes`()
  {
    #expect(Verbs.all.count <= 17)
    for verb in Verbs.all {
      let help = verb.help()
      #expect(help.commands.count >= 3, "\(verb.name)")
      #expect(
        help.commands.prefix(3).contains { $0.hasPrefix("portative \(verb.name)") }, "\(verb.name)")
      let lines = lines(help.text)
      #expect(lines[0] == "  \(help.commands[0])")
      let codes = help.exitCodes.help.split(separator: "\n").map(String.init)
      #expect(!codes.isEmpty && lines.filter { !$0.isEmpty }.suffix(codes.count) == codes[...])
    }
  }

  @Test func `words of other programs lead to verbs that exist`() throws {
    for (word, command) in Verbs.others {
      #expect(!Verbs.all.contains { $0.name == word }, "\(word)")
      let verb = try #require(command.split(separator: " ").dropFirst().first)
      #expect(Verbs.all.contains { $0.name == verb }, "\(command)")
    }
  }

  @Test func `the example of the configuration is valid`() throws {
    let user = try TemporaryUser()
    let text = ManualPage.example.joined(separator: "\n")
      .replacing("~/Grand.sf2", with: bundledSoundFont)
    let file = try user.folder.createFile("example.json", Data(text.utf8))
    let result = try user.run("serve", "--check", "--config", file)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors == "")
  }
}
