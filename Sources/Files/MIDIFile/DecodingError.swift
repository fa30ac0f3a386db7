extension StandardMIDIFile {
  /// Why bytes cannot be read as a Standard MIDI File at all.
  ///
  /// Lesser faults are mended and told in ``StandardMIDIFile/repairs``.
  public enum DecodingError: Error, Equatable {
    /// There are no bytes.
    case empty
    /// No header chunk, neither at byte 0 nor in the bytes where junk is put up with.
    case noHeader(searched: Int)
    /// The bytes end inside the header chunk.
    case headerCut(offset: Int, found: Int)
    /// The header chunk says it is shorter than its three numbers.
    case headerTooShort(offset: Int, length: Int)
    /// A tick has no length: zero ticks per quarter note, or zero per frame.
    case zeroDivision(offset: Int)
    /// A time code that does not exist; `value` is the header's frame rate, negated.
    case unknownFrameRate(offset: Int, value: Int)
    /// Not one track chunk follows the header.
    case noTracks(offset: Int)

    /// The byte of the file at which it was found.
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
  /// A sentence: what was found, where, and the remedy where there is one.
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
      "the header at byte \(offset) must be at least 6 bytes long, but says \(length)"
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
