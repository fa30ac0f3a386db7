/// A System Exclusive message of at most 20 bytes, without F0 and F7.
///
/// Realtime: yes.
package struct ShortSysEx: BitwiseCopyable, Sendable {
  private var memory = InlineArray<20, UInt8>(repeating: 0)
  package private(set) var count = 0

  /// The maximum of ``count``.
  package static var capacity: Int { @_noLocks get { 20 } }

  @_noLocks init(
    _ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8, _ fifth: UInt8? = nil,
    _ sixth: UInt8? = nil, _ seventh: UInt8? = nil, _ eighth: UInt8? = nil
  ) {
    append(first)
    append(second)
    append(third)
    append(fourth)
    if let fifth { append(fifth) }
    if let sixth { append(sixth) }
    if let seventh { append(seventh) }
    if let eighth { append(eighth) }
  }

  /// - Returns: `nil` if there are more than ``capacity`` bytes.
  @_noLocks package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= Self.capacity else { return nil }
    for index in 0..<bytes.count { append(bytes[index]) }
  }

  /// A data set of Roland's GS at the address 40, `middle`, `low`, with its checksum.
  ///
  /// - Parameter addData: Appends the data.
  @_noLocks static func gs(
    _ middle: UInt8, _ low: UInt8, _ addData: (inout ShortSysEx) -> Void
  ) -> ShortSysEx {
    var message = ShortSysEx(0x41, 0x10, 0x42, 0x12, 0x40, middle, low)
    addData(&message)
    var sum = 0
    for index in 4..<message.count { sum += Int(message.memory[index]) }
    message.append(UInt8((128 - sum % 128) % 128))
    return message
  }

  /// Appends a data byte: 0…127.
  @_noLocks mutating func append(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  /// Appends numbers of four bits, the highest first.
  @_noLocks mutating func append(nibblesOf value: Int, count: Int) {
    for index in 0..<count { append(UInt8(value >> (4 * (count - 1 - index)) & 15)) }
  }

  /// Copies the bytes to memory with room for ``capacity``, and returns them there.
  @_noLocks package func copy(
    to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    for index in 0..<count { target[index] = memory[index] }
    return UnsafeBufferPointer(start: UnsafePointer(target), count: count)
  }
}
