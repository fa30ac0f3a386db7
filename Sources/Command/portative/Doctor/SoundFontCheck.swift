import BatchRenderer
import Configuration
import LocalSystem

/// Checks whether a SoundFont can be found.
enum SoundFontCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    do throws(SoundFontError) {
      let found = try SoundFontSearch(environment).find()
      return [.good("SoundFont", "\(found.path) (\(found.origin))")]
    } catch {
      return [
        .bad(
          "SoundFont", error.description,
          remedy: "install one (sudo apt install fluid-soundfont-gm), or name one in "
            + "~/.config/portative/config.json")
      ]
    }
  }
}

/// Reports the synthesizer library and the traits measured of it. The program does not start without the library.
enum LibraryCheck {
  static func findings(_ library: RenderReport.Library = .loaded) -> [Finding] {
    [
      .good(
        library.name, ([library.version] + library.traits).joined(separator: "; "))
    ]
  }
}
