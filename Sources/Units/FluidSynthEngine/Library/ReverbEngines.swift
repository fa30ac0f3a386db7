import CFluidSynth

/// The reverb engines of the loaded library. Before FluidSynth 2.6 there is only one, which has no name.
///
/// Realtime: no.
public struct ReverbEngines: Equatable, Sendable {
  static let setting = "synth.reverb.engine"

  /// FluidSynth's names; empty if there is no choice.
  public let names: [String]
  /// The default engine; `nil` if there is no choice.
  public let standard: String?

  /// The engines of the loaded library.
  public static let available = ReverbEngines()

  private init() {
    quietLibrary()
    let settings = new_fluid_settings()
    defer { delete_fluid_settings(settings) }
    var names: [String] = []
    withUnsafeMutablePointer(to: &names) { names in
      fluid_settings_foreach_option(settings, Self.setting, names) { names, _, option in
        guard let names, let option else { return }
        names.assumingMemoryBound(to: [String].self).pointee.append(String(cString: option))
      }
    }
    self.names = names
    var standard: UnsafeMutablePointer<CChar>?
    let isThere =
      !names.isEmpty
      && fluid_settings_getstr_default(settings, Self.setting, &standard) == FLUID_OK
    self.standard = isThere ? standard.map { String(cString: $0) } : nil
  }

  /// Returns the index of a name; `nil` for no name, and for one that ``check(_:)`` rejects.
  static func index(of name: String?) -> Int? {
    name.flatMap { available.names.firstIndex(of: $0) }
  }

  /// Checks that an engine of this name exists. `nil` is always valid.
  ///
  /// - Throws: ``InstrumentError/noSuchReverbEngine(_:available:)``.
  public func check(_ name: String?) throws(InstrumentError) {
    guard let name, !names.contains(name) else { return }
    throw .noSuchReverbEngine(name, available: names)
  }
}
