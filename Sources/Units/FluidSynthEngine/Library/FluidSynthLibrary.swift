import CFluidSynth

/// The loaded FluidSynth library.
public enum FluidSynthLibrary {
  /// The version, such as `2.3.1`. The output may differ between versions.
  public static let version = String(cString: fluid_version_str())

  /// The measured traits; see ``LibraryProbe/traits``. Empty if the measurement failed. Realtime: no.
  public static let traits = (try? LibraryProbe.found())?.traits ?? []
}
