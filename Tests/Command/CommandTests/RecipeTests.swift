import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// The lines of `Documentation/Recipes.md`.
private let page: [String] = {
  let file = repositoryRoot.appending(path: "Documentation/Recipes.md")
  let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  return text.split(separator: "\n").map { String($0) }
}()

/// The cells of the rows of a table, without its head, under a heading of the page.
private func table(under heading: String) -> [[String]] {
  let below = page.drop(while: { $0 != heading }).drop(while: { !$0.hasPrefix("|") })
  let rows = below.prefix(while: { $0.hasPrefix("|") })
  return rows.dropFirst(2).map { row in
    let bar = "\u{0}"
    let cells = row.replacing("\\|", with: bar).split(
      separator: "|", omittingEmptySubsequences: false)
    return cells.dropFirst().dropLast().map {
      $0.replacing(bar, with: "|").trimmingCharacters(in: .whitespaces)
    }
  }
}

/// The goals, and the commands of Portative.
private let recipeRows = table(under: "# Recipes")

/// The same goals, and the commands of other programs with the numbers of words.
private let otherRows = table(under: "## The same with other programs")

/// What comes after the program's name in the commands of Portative.
private let recipes = recipeRows.map { row in
  String(row[1].filter { $0 != "`" }.trimmingPrefix("portative "))
}

/// The number of words of a command: of what stands between spaces, apart from `|`.
private func wordCount(_ cell: String) -> Int {
  cell.filter { $0 != "`" }.split(separator: " ").count { $0 != "|" }
}

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

  @Test func `a recipe has fewer words than with other programs, or the page says why`() throws {
    #expect(recipeRows.map { $0[0] } == otherRows.map { $0[0] })
    let marks = ["¹", "²", "³"]
    var order = [0, 0, 0]
    for (recipe, other) in zip(recipeRows, otherRows) {
      try #require(recipe.count == 2 && other.count == 5, "\(other)")
      let (here, elsewhere) = (wordCount(recipe[1]), wordCount(other[1]))
      let stated = other[3].split(separator: " ").map { String($0) }
      #expect(stated.first == "\(here)" && other[2] == "\(elsewhere)", "\(other)")
      let reasons = stated.dropFirst()
      #expect(reasons.allSatisfy { mark in page.contains { $0.hasPrefix("\(mark) ") } }, "\(other)")
      #expect(
        reasons.allSatisfy(marks.contains) && reasons.isEmpty == (here < elsewhere), "\(other)")
      order[here < elsewhere ? 0 : here == elsewhere ? 1 : 2] += 1
    }
    let sum =
      "Of the \(recipeRows.count) commands, \(order[0]) are shorter here, \(order[1]) are as long"
    #expect(page.contains { $0.contains("\(sum) and \(order[2]) are longer.") }, "\(order)")
  }

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
