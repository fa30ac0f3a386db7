extension StandardMIDIFile {
  /// The reason why bytes cannot be read as a Standard MIDI File.
  ///
  /// Less serious errors are repaired and listed in ``StandardMIDIFile/repairs``.
  public enum DecodingError: Error, Equatable {
    /// The file is empty.
    case empty
    /// There is no header chunk in the first `searched` bytes, in which leading junk is tolerated.
    case noHeader(searched: Int)
    /// The bytes end inside the header chunk.
    case headerCut(offset: Int, found: Int)
    /// The stated length of the header chunk is too short for its three numbers.
    case headerTooShort(offset: Int, length: Int)
    /// A tick has no length: zero ticks per quarter note, or zero per frame.
    case zeroDivision(offset: Int)
    /// The time code is unknown; `value` is the negated frame rate in the header.
    case unknownFrameRate(offset: Int, value: Int)
    /// No track chunk follows the header.
    case noTracks(offset: Int)

    /// The offset in the file at which the error was found.
    public var offset: Int {
      switch self {
      case .empty, .noHeader: 0
      case .headerCut(let offset, _), .headerTooShort(let offset, _), .zeroDivision(let offset),
        .unknownFrameRate(let offset, _), .noTracks(let offset):
        offset
      }
    }
  }
}

extension StandardMIDIFile.DecodingError: CustomStringConvertible {
  /// A sentence with the error, its offset, and the remedy if there is one.
  public var description: String {
    switch self {
    case .empty:
      "the file is empty"
    case .noHeader(let searched):
      "not a Standard MIDI File: no \"MThd\" in its first \(searched) \(searched == 1 ? "byte" : "bytes")"
    case .headerCut(let offset, let found):
      "the file ends inside its header at byte \(offset): 14 bytes are needed, \(found) are left; "
        + "copy it again from its source"
    case .headerTooShort(let offset, let length):
      "the header at byte \(offset) must be at least 6 bytes long, but its length field is \(length)"
    case .zeroDivision(let offset):
      "the division at byte \(offset) is zero, so that a tick has no length; "
        + "export the file again from its source"
    case .unknownFrameRate(let offset, let value):
      "the time code at byte \(offset) must be 24, 25, 29 or 30 frames per second, but was \(value)"
    case .noTracks(let offset):
      "no track follows the header: there is nothing to play from byte \(offset) on"
    }
  }
}
