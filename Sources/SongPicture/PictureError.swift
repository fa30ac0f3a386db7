/// Why there is no picture of a song.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Cairo or Pango is not there.
  case noLibrary
  /// Cairo refused, in its own words.
  case drawing(String)
  /// The picture was not taken where it was to be written.
  case notTaken

  public var description: String {
    switch self {
    case .noLibrary:
      "pictures are drawn with cairo and Pango, which are not here: "
        + "apt install libpangocairo-1.0-0"
    case .drawing(let reason): "cairo cannot draw: \(reason)"
    case .notTaken: "the picture cannot be written"
    }
  }
}
