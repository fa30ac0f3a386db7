import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// The commands of `Documentation/Recipes.md`.
private let recipes: [String] = {
  let page = repositoryRoot.appending(path: "Documentation/Recipes.md")
  let lines = (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
  return lines.compactMap { line in
    guard line.hasPrefix("|"), let start = line.range(of: "`portative "),
      let end = line.range(of: "`", range: start.upperBound..<line.endIndex)
    else { return nil }
    return String(line[start.upperBound..<end.lowerBound])
  }
}()

@Suite(.timeLimit(.minutes(10))) struct RecipeTests {
  private let user: TemporaryUser

  init() throws {
    user = try TemporaryUser()
    let song = try Data(contentsOf: URL(filePath: repositoryFile("SoundFonts/demo.mid")))
    for name in ["song.mid", "Songs/a.mid", "Songs/b.mid"] {
      try user.folder.createFile(name, name == "song.mid" ? song : shortSong())
    }
    for name in ["Grand.sf2", "Other.sf2"] {
      try user.folder.createFile(name, Data(contentsOf: URL(filePath: bundledSoundFont)))
    }
    user.wrapper = ["/usr/bin/env", "-C", user.folder.path]
  }

  @Test func `there are at least twenty`() { #expect(recipes.count >= 20) }

  /// Songs that are played end after a moment, without a sound device.
  @Test(arguments: recipes)
  func `a recipe does what it says`(recipe: String) throws {
    var words = recipe.split(separator: " ").map { String($0) }
    if let quote = words.firstIndex(where: { $0.hasPrefix("\"") }) {
      let text = words[quote...].joined(separator: " ").filter { $0 != "\"" }
      words.replaceSubrange(quote..., with: [text])
    }
    if words[0] == "play" || words[0] == "try" { words += ["--audio", "none"] }
    if words[0] == "play", !words.contains("--loop-bars") {
      words += ["--to", words.contains("--from") ? "bar13" : "0.3", "--tail", "exact"]
    }
    if words.contains("--loop-bars") {
      let player = try user.start(words + ["--record", "loop.wav"])
      try player.wait { player.errors.contains("recording to") }
      player.send(SIGTERM)
      #expect(try player.result().errors.contains("recorded loop.wav"))
      return
    }
    let result = try user.run(arguments: words)
    #expect(result.exitCode == 0, "\(result.errors)")
    if words[0] == "render" {
      #expect(
        user.folder.names.contains {
          !["Grand.sf2", "Other.sf2", "song.mid", "Songs"].contains($0)
        })
    }
  }

  @Test func `a comparison writes a file for each SoundFont, equally loud`() throws {
    let (a, b) = (user.folder("Grand.sf2"), "/usr/share/sounds/sf2/TimGM6mb.sf2")
    let result = try user.run("render", "--json", "--compare", a, b, "-d", "out", "song.mid")
    #expect(result.exitCode == 0, "\(result.errors)")
    let songs = result.outputText.objects.compactMap { $0["song"] as? [String: Any] }
    #expect(
      Set(songs.compactMap { $0["output"] as? String })
        == ["out/song Grand.wav", "out/song TimGM6mb.wav"])
    let loudness = songs.compactMap { $0["loudnessLUFS"] as? Double }
    #expect(loudness.count == 2 && loudness.allSatisfy { abs($0 + 23) < 0.2 })
    #expect(try user.run("render", "--compare", a, "song.mid").exitCode == 2)
    #expect(try user.run("render", "--compare", a, b, "-o", "x.wav", "song.mid").exitCode == 2)
  }
}
