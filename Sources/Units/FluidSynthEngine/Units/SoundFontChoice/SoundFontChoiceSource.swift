public import RenderCore

/// Creates units whose hosts can choose the SoundFont; see ``SoundFontChoiceUnit``.
public struct SoundFontChoiceSource: RenderUnitSource {
  private let soundFont: SoundFont
  private let library: any SoundFontLibrary
  private let source: @Sendable (SoundFont) -> any RenderUnitSource

  /// - Parameters:
  ///   - soundFont: The SoundFont of new units.
  ///   - library: Finds other SoundFonts.
  ///   - source: Returns the source of units that play a SoundFont. Their parameters must not depend on it.
  public init(
    _ soundFont: SoundFont, from library: any SoundFontLibrary,
    _ source: @escaping @Sendable (SoundFont) -> any RenderUnitSource
  ) {
    self.soundFont = soundFont
    self.library = library
    self.source = source
  }

  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  public func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    try SoundFontChoiceUnit(
      soundFont, library, format, isOffline: use.isOffline
    ) { [source] soundFont in try source(soundFont).makeUnit(format, for: use) }
  }
}

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
