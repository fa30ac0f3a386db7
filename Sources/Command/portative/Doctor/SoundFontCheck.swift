import BatchRenderer
import Configuration
import LocalSystem

/// Checks whether a SoundFont can be found. A faulty configuration is reported by ``ConfigurationCheck``.
enum SoundFontCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    do throws(SoundFontError) {
      let found = try SoundFontSearch(environment).find()
      return [.good("SoundFont", "\(found.path) (\(found.origin))")]
    } catch {
      if case .configuration = error { return [] }
      return [.bad("SoundFont", error.description, remedy: remedy(for: error))]
    }
  }

  /// Returns a remedy that has an effect: what names the SoundFont takes precedence over all else.
  private static func remedy(for error: SoundFontError) -> String {
    let install = "install one: sudo apt install fluid-soundfont-gm"
    switch error.file?.origin {
    case .variable:
      return "unset PORTATIVE_SOUNDFONT, or let it name another file: it takes precedence over the "
        + "configuration"
    case .configuration: return "name another one: portative config set soundfont=FILE"
    case .system, .user, .bundled:
      return "replace the file, or name another one: portative config set soundfont=FILE"
    case .option, nil: return "\(install), or name one: portative config set soundfont=FILE"
    }
  }
}

extension SoundFontError {
  /// The file that cannot be used, if there is one.
  fileprivate var file: FoundSoundFont? {
    switch self {
    case .unreadable(let file, _), .notASoundFont(let file), .cutShort(let file, _, _): file
    case .noneFound, .configuration: nil
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
