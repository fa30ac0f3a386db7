/// A SoundFont inside a RIFF container with a MIDI file.
///
/// Source: RP-029, *RMID File Format*; *SF2 RMIDI Specification* 1.19, for the offset of banks.
public struct EmbeddedSoundFont: Equatable, Sendable {
  /// A SoundFont 2 or 3 file with the offset added to its banks, or a DLS file.
  public let bytes: [UInt8]
  /// The number that was added to every bank but that of percussion, 0…127.
  public let bankOffset: Int

  /// - Returns: `nil` if the file is no such container, or has no SoundFont.
  init?(in file: UnsafeRawBufferPointer) {
    guard file.has("RIFF", at: 0), file.has("RMID", at: 8) else { return nil }
    var (position, offset, font) = (12, Int?.none, Range<Int>?.none)
    while file.count - position >= 12 {
      let size = file.littleEndian(at: position + 4)
      let end = min(position + 8 + size, file.count)
      if file.has("RIFF", at: position), font == nil,
        file.has("sfbk", at: position + 8) || file.has("DLS ", at: position + 8)
      {
        font = position..<end
      } else if file.has("LIST", at: position), file.has("INFO", at: position + 8) {
        offset = Self.offset(in: file, position + 12..<end) ?? offset
      }
      position += 8 + size + size % 2
    }
    guard let font else { return nil }
    // The specification rejects other offsets; here the default applies.
    let isOffsetValid = offset.map { 0...127 ~= $0 } ?? false
    bankOffset = isOffsetValid ? offset ?? 1 : 1
    var bytes = Array(file[font])
    if bankOffset > 0 { Self.add(bankOffset, toBanksOf: &bytes) }
    self.bytes = bytes
  }

  /// Returns the value of the chunk DBNK of a list.
  private static func offset(in file: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while range.upperBound - position >= 10 {
      let size = file.littleEndian(at: position + 4)
      if file.has("DBNK", at: position), size >= 2 {
        return Int(file[position + 8]) | Int(file[position + 9]) << 8
      }
      position += 8 + size + size % 2
    }
    return nil
  }

  /// Adds to the banks in the preset headers. Sums above 127 become 0.
  private static func add(_ offset: Int, toBanksOf bytes: inout [UInt8]) {
    let headers = bytes.withUnsafeBytes { font -> Range<Int>? in
      var position = 12
      while font.count - position >= 12 {
        let size = font.littleEndian(at: position + 4)
        if font.has("LIST", at: position), font.has("pdta", at: position + 8),
          font.has("phdr", at: position + 12), font.count - position >= 20
        {
          let start = position + 20
          return start..<min(start + font.littleEndian(at: position + 16), font.count)
        }
        position += 8 + size + size % 2
      }
      return nil
    }
    guard let headers else { return }
    // A header has 38 bytes: the name, the program, the bank and others. The last one ends the list.
    for start in stride(from: headers.lowerBound, to: headers.upperBound - 2 * 38 + 1, by: 38) {
      let bank = Int(bytes[start + 22]) | Int(bytes[start + 23]) << 8
      if bank == 128 { continue }
      (bytes[start + 22], bytes[start + 23]) = (bank + offset > 127 ? 0 : UInt8(bank + offset), 0)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// - Precondition: Four bytes follow.
  fileprivate func littleEndian(at position: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self)))
  }
}
