import CFluidSynth

/// The library that plays.
public enum FluidSynthLibrary {
  /// Of the one that was loaded, as `2.3.1`: bits may differ from one version to another.
  public static let version = String(cString: fluid_version_str())

  /// What was measured of it, in words; see ``LibraryProbe/traits``. Empty where nothing could be. Realtime: no.
  public static let traits = (try? LibraryProbe.found())?.traits ?? []
}
