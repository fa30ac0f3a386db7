import LocalSystem
import TestSupport
import Testing

@testable import Configuration

@Test func `searches the places in their order`() throws {
  let system = TemporarySystem()
  func find(_ option: String? = nil) throws -> FoundSoundFont {
    try SoundFontSearch(system.environment).find(option: option)
  }
  // From the lowest to the highest precedence: each SoundFont hides the previous ones.
  let bundled = try system.addSoundFont("opt/share/portative/SoundFonts/Portative.sf2")
  #expect(try find() == FoundSoundFont(path: bundled, origin: .bundled))
  let any = try system.addSoundFont("home/.local/share/soundfonts/a.SF3")
  #expect(try find() == FoundSoundFont(path: any, origin: .user))
  let user = try system.addSoundFont("home/.local/share/soundfonts/default.sf2")
  #expect(try find() == FoundSoundFont(path: user, origin: .user))
  let debian = try system.addSoundFont("usr/share/sounds/sf2/default-GM.sf2")
  #expect(try find() == FoundSoundFont(path: debian, origin: .system))
  let sf3 = try system.addSoundFont("usr/share/soundfonts/default.sf3")
  #expect(try find() == FoundSoundFont(path: sf3, origin: .system))
  let sf2 = try system.addSoundFont("usr/share/soundfonts/default.sf2")
  #expect(try find() == FoundSoundFont(path: sf2, origin: .system))
  let configured = try system.addSoundFont("c.sf2")
  let file = try system.add("etc/xdg/portative/config.json", "{soundfont: '\(configured)'}")
  #expect(
    try find() == FoundSoundFont(path: configured, origin: .configuration(file: file)))
  let variable = try system.addSoundFont("v.sf2")
  system.environment.variables["PORTATIVE_SOUNDFONT"] = variable
  #expect(try find() == FoundSoundFont(path: variable, origin: .variable))
  let option = try system.addSoundFont("o.sf2")
  #expect(try find(option) == FoundSoundFont(path: option, origin: .option))
}

@Test func `finds the bundled SoundFont in the checkout that it was built in`() throws {
  let system = TemporarySystem()
  system.environment.executable = "\(system.root)/src/.build/debug/portative"
  let path = try system.addSoundFont("src/SoundFonts/Portative.sf2")
  let found = try SoundFontSearch(system.environment).find()
  #expect(found == FoundSoundFont(path: path, origin: .bundled))
}

@Test func `never replaces a file that the user named`() throws {
  let system = TemporarySystem()
  try system.addSoundFont("usr/share/soundfonts/default.sf2")
  system.environment.variables["PORTATIVE_SOUNDFONT"] = "/none.sf2"
  #expect(
    throws: SoundFontError.unreadable(
      FoundSoundFont(path: "/none.sf2", origin: .variable), reason: "No such file or directory")
  ) {
    try SoundFontSearch(system.environment).find()
  }
}

@Test func `lists the searched places if there is none`() throws {
  let system = TemporarySystem()
  let error = #expect(throws: SoundFontError.self) {
    try SoundFontSearch(system.environment).find()
  }
  let text = try #require(error).description
  for place in [
    "PORTATIVE_SOUNDFONT", "/usr/share/soundfonts/default.sf2", "home/.local/share/soundfonts",
    "opt/share/portative/SoundFonts/Portative.sf2", "--soundfont FILE",
  ] {
    #expect(text.contains(place))
  }
}

@Test func `distinguishes SoundFonts from other files, and complete ones from truncated ones`()
  throws
{
  let system = TemporarySystem()
  func error(_ path: String) -> SoundFontError? {
    do {
      _ = try SoundFontSearch(system.environment).find(option: path)
      return nil
    } catch { return error }
  }
  for content in ["", "RIFF", "MThd\0\0\0\u{6}\0\0\0\0", "RIFF\u{4}\0\0\0WAVE"] {
    let path = try system.add("x.sf2", content)
    #expect(error(path) == .notASoundFont(FoundSoundFont(path: path, origin: .option)))
  }
  let path = try system.add("x.sf2", "RIFF\u{50}\0\0\0sfbk1234")
  let file = FoundSoundFont(path: path, origin: .option)
  #expect(error(path) == .cutShort(file, expected: 88, found: 16))
  // An odd chunk with a pad byte, and without, as in many SF3 files.
  for odd in ["LIST\u{5}\0\0\0sdta1\0", "LIST\u{5}\0\0\0sdta1"] {
    let chunks = odd + "LIST\u{4}\0\0\0pdta"
    let size = Character(Unicode.Scalar(UInt8(4 + chunks.utf8.count)))
    let whole = try system.add("x.sf3", "RIFF\(size)\0\0\0sfbk\(chunks)")
    #expect(error(whole) == nil)
  }
  let folder = FoundSoundFont(path: system.root, origin: .option)
  #expect(error(system.root) == .unreadable(folder, reason: "Is a directory"))
}
