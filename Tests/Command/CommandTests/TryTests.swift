import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TryTests {
  private let user: TemporaryUser

  init() throws { user = try TemporaryUser() }

  private func heard(_ arguments: String...) throws -> [Float] {
    let file = user.folder("try.wav")
    let result = try user.run(arguments: ["try", "-q", "--output", file] + arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return samples(file)
  }

  @Test func `a preset is found by name and by number, and its keys can be chosen`() throws {
    let violin = try heard("violin")
    #expect(peak(violin) > 0.005)
    #expect(try heard("0:40") == violin)
    #expect(try heard(bundledSoundFont, "violin") == violin)
    let key = try heard("violin", "C4")
    #expect(key != violin && peak(key) > 0.005)
    #expect(try heard("violin", "60") == key)
    #expect(try heard("128:0") != violin)
  }

  @Test func `every preset that matches is played, and named`() throws {
    let result = try user.run("try", "--audio", "none", "--tempo", "1000%", "piano", "60")
    #expect(result.exitCode == 0, "\(result.errors)")
    let presets = try user.run("info", "--presets", "piano").outputText.split(separator: "\n")
      .dropFirst()
    #expect(presets.count > 2)
    let named = result.errors.split(separator: "\n").filter { $0.hasPrefix("0:") }
    #expect(
      named.map(String.init)
        == presets.map { line in
          let parts = line.split(separator: " ", maxSplits: 1)
          return "\(parts[0])  \(parts[1].drop { $0 == " " })"
        })
  }

  @Test(arguments: [
    ([], 2, "no preset was given"), (["theremin"], 2, "theremin"),
    (["piano", "--output", "x.wav"], 2, "presets match 'piano'"),
    (["none.sf2", "piano"], 5, "none.sf2"),
  ])
  func `what cannot be played is one sentence`(
    arguments: [String], code: Int32, reason: String
  ) throws {
    let result = try user.run(arguments: ["try"] + arguments)
    #expect(result.exitCode == code)
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
