import CFluidSynth

/// The reverbs that the loaded library has to choose from. Before FluidSynth 2.6 there is one, without a name.
///
/// Realtime: no.
public struct ReverbEngines: Equatable, Sendable {
  static let setting = "synth.reverb.engine"

  /// As FluidSynth calls them; empty where there is no choice.
  public let names: [String]
  /// The one that is used unless another is asked for.
  public let standard: String?

  /// Of the loaded library.
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

  /// Where a name is in the list; `nil` for no name, and for one that ``check(_:)`` refuses.
  static func index(of name: String?) -> Int? {
    name.flatMap { available.names.firstIndex(of: $0) }
  }

  /// - Throws: ``InstrumentError/noSuchReverbEngine(_:available:)``.
  public func check(_ name: String?) throws(InstrumentError) {
    guard let name, !names.contains(name) else { return }
    throw .noSuchReverbEngine(name, available: names)
  }
}
