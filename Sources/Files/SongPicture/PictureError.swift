/// Why there is no picture of a song.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Cairo or Pango is not installed.
  case noLibrary
  /// KISS FFT is not installed.
  case noTransform
  /// Cairo refused, in its own words.
  case drawing(String)
  /// The picture was not taken where it was to be written.
  case notTaken

  public var description: String {
    switch self {
    case .noLibrary:
      "pictures are drawn with cairo and Pango (libpangocairo-1.0.so.0), which are not installed: "
        + "apt install libpangocairo-1.0-0"
    case .noTransform:
      "the spectrum in a picture needs KISS FFT (libkissfft-float.so.131), which is not installed: "
        + "apt install libkissfft-float131"
    case .drawing(let reason): "cairo cannot draw: \(reason)"
    case .notTaken: "the picture cannot be written"
    }
  }
}
