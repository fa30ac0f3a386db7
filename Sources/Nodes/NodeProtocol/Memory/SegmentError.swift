package import LocalSystem

/// The reason why a segment cannot be created or opened.
package enum SegmentError: Error, Equatable, CustomStringConvertible {
  case system(SystemError)
  /// The descriptor is not a memfd, has another size, or is not sealed against resizing.
  case notSealed(size: Int)
  /// The memory does not begin with the magic number of a segment.
  case foreign
  case version(found: UInt32, expected: UInt32)
  /// The header contradicts the format agreed on.
  case contradiction

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notSealed(let size):
      "the shared memory must be a memfd of exactly \(size) bytes, sealed against resizing"
    case .foreign: "the shared memory does not begin with the magic number of a segment"
    case .version(let found, let expected):
      "the shared memory has layout version \(found), but this side supports \(expected): "
        + "use the same version of Portative on both sides"
    case .contradiction: "the header of the shared memory contradicts the requested format"
    }
  }
}
