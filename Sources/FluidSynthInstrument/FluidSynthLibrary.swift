import CFluidSynth

/// The library that plays.
public enum FluidSynthLibrary {
  /// Of the one that was loaded, as `2.3.1`: bits may differ from one version to another.
  public static let version = String(cString: fluid_version_str())
}
