import RenderCore
import Synchronization

/// A unit whose SoundFont the host can replace while it renders.
///
/// It plays a unit that is made for the SoundFont. For another SoundFont it makes another one with the same parameters,
/// and plays that from the next cycle on; what sounds fades within 512 frames. A parameter change or program change that
/// acts while the new unit is made may be lost.
final class SoundFontChoiceUnit: SilenceableUnit, UnitWrapper {
  private let library: any SoundFontLibrary
  private let make: @Sendable (SoundFont) throws -> any RenderUnit
  private let unit: ReplaceableUnit
  private let soundFont: Mutex<SoundFont>
  /// Held while a unit is made, so that one replacement follows another.
  private let replacing = Mutex(())

  /// The file's identifier in states.
  static let identifier = "soundfont"

  /// - Parameters:
  ///   - isOffline: Whether the caller prepares each cycle.
  ///   - make: Makes a unit that plays a SoundFont.
  init(
    _ soundFont: SoundFont, _ library: any SoundFontLibrary, _ format: Format, isOffline: Bool,
    _ make: @escaping @Sendable (SoundFont) throws -> any RenderUnit
  ) throws {
    self.library = library
    self.make = make
    unit = ReplaceableUnit(try make(soundFont), format, isOffline: isOffline)
    self.soundFont = Mutex(soundFont)
  }

  var wrapped: any RenderUnit { unit }

  var files: [UnitFile] {
    let soundFont = soundFont.withLock { $0 }
    return [UnitFile(Self.identifier, "SoundFont", library.reference(to: soundFont))]
  }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    guard let reference = files[Self.identifier] else { return try unit.restore(data) }
    let new = try library.open(reference)
    try replacing.withLock { _ in
      if soundFont.withLock({ $0 === new }) { return try unit.restore(data) }
      try play(new, data)
      soundFont.withLock { $0 = new }
    }
  }

  func silence() throws { try remake() }

  func renew() throws { try remake(fades: false) }

  private func remake(fades: Bool = true) throws {
    try replacing.withLock { _ in
      try play(soundFont.withLock { $0 }, unit.save(), fades: fades)
    }
  }

  /// Plays a new unit with a state.
  private func play(_ soundFont: SoundFont, _ data: [UInt8], fades: Bool = true) throws {
    let new = try makeUnit(soundFont)
    try new.restore(data)
    try unit.replace(with: new, fades: fades)
  }

  private func makeUnit(_ soundFont: SoundFont) throws(UnitFileError) -> any RenderUnit {
    do {
      return try make(soundFont)
    } catch {
      throw UnitFileError("the SoundFont '\(soundFont.path)' cannot be played: \(error)")
    }
  }
}
