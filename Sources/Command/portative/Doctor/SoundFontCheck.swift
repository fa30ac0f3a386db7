import Configuration
import LocalSystem

/// Whether there is something to play with.
enum SoundFontCheck {
  static func findings(in surroundings: Surroundings) -> [Finding] {
    do throws(SoundFontError) {
      let found = try SoundFontSearch(surroundings).find()
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
