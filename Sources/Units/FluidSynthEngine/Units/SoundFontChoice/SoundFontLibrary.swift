public import RenderCore

/// Finds the SoundFonts that saved states refer to.
///
/// Realtime: no. Threads: any.
public protocol SoundFontLibrary: Sendable {
  /// Opens the SoundFont that a state refers to, wherever it is now.
  ///
  /// - Throws: ``UnitFileError`` if it is not found or cannot be read.
  func open(_ reference: FileReference) throws(UnitFileError) -> SoundFont

  /// Returns a reference to a SoundFont, for a state.
  func reference(to soundFont: SoundFont) -> FileReference
}
