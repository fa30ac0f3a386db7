/// The reason why a picture could not be created.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Cairo or Pango is not installed.
  case noLibrary
  /// KISS FFT is not installed.
  case noTransform
  /// Cairo failed with its own message.
  case drawing(String)
  /// The bytes of the picture could not be written.
  case notWritten

  public var description: String {
    switch self {
    case .noLibrary:
      "pictures are drawn with cairo and Pango (libpangocairo-1.0.so.0), which are not installed: "
        + "apt install libpangocairo-1.0-0"
    case .noTransform:
      "the spectrum in a picture needs KISS FFT (libkissfft-float.so.131), which is not installed: "
        + "apt install libkissfft-float131"
    case .drawing(let reason): "cairo cannot draw: \(reason)"
    case .notWritten: "the picture cannot be written"
    }
  }
}
