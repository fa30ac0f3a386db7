import Configuration
import FluidSynthEngine
import FluidSynthUnits
import LocalSystem
import RenderCore

/// Finds the SoundFonts of states that hosts have saved, possibly on another machine.
struct SoundFontFiles: SoundFontLibrary {
  let search: SoundFontSearch
  /// The SoundFont of the configuration.
  let standard: SoundFont

  /// Opens the first of these: a file with the contents of the reference, at its path, in the configuration, or under its
  /// name in a folder for SoundFonts; a file with other contents at its path, because it may have been edited.
  func open(_ reference: FileReference) throws(UnitFileError) -> SoundFont {
    if let hash = reference.hash {
      let named = search.paths(named: reference.path.folderAndName.name)
      for path in [reference.path, standard.path] + named {
        if let font = try? SoundFont.open(path), font.contentHash() == hash { return font }
      }
    }
    do throws(InstrumentError) {
      return try SoundFont.open(reference.path)
    } catch {
      throw UnitFileError(
        "\(error); put the SoundFont back, or copy it to ~/.local/share/soundfonts, or choose "
          + "another")
    }
  }

  func reference(to soundFont: SoundFont) -> FileReference {
    FileReference(
      path: resolvedPath(soundFont.path) ?? soundFont.path, hash: soundFont.contentHash())
  }
}
