package import CLV2
package import RenderCore

/// Writes events to an atom port: MIDI, positions of the song, and values of properties.
///
/// Events that do not fit into the port's memory are dropped, and all that follow until the next cycle, so that no note-on
/// is written whose predecessor is missing.
///
/// Realtime: yes.
package struct AtomWriter: BitwiseCopyable {
  private let memory: UnsafeMutableRawPointer?
  private let capacity: Int
  private var count = 16
  let types: AtomTypes

  /// Begins an empty sequence.
  ///
  /// - Parameter port: The memory of an atom port, whose size the host has set; may be `nil`.
  @_noLocks package init(_ port: UnsafeMutableRawPointer?, _ types: AtomTypes) {
    self.types = types
    guard let port else {
      memory = nil
      capacity = 0
      return
    }
    let size = Int(port.loadUnaligned(as: UInt32.self))
    guard size >= 8 else {
      // There is no room for an empty sequence.
      port.storeBytes(of: 0, as: UInt64.self)
      memory = nil
      capacity = 0
      return
    }
    memory = port
    capacity = 8 + size
    port.storeBytes(of: 8, as: UInt32.self)
    port.storeBytes(of: types.sequence, toByteOffset: 4, as: UInt32.self)
    port.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
  }

  /// Appends the message of an event of a cycle.
  ///
  /// - Returns: Whether there was room.
  @_noLocks package mutating func append(
    _ content: MIDIEvent.Content, of cycle: MIDICycle, at frame: Int
  ) -> Bool {
    let length = cycle.byteCount(of: content)
    guard let bytes = reserve(length, at: Int64(frame), types.midi) else { return false }
    cycle.write(content, to: bytes.bindMemory(to: UInt8.self, capacity: length))
    return true
  }

  /// Appends a channel message.
  ///
  /// - Returns: Whether there was room.
  @_noLocks package mutating func append(_ message: ChannelMessage, at frame: Int) -> Bool {
    append(.channel(message), of: MIDICycle(frames: 1), at: frame)
  }

  /// Appends a `patch:Set` message.
  ///
  /// - Parameters:
  ///   - key: The number of the property.
  ///   - type: The type of its value.
  ///   - bytes: The value.
  /// - Returns: Whether there was room.
  @_noLocks package mutating func append(
    property key: LV2_URID, _ type: LV2_URID, _ bytes: UnsafeRawBufferPointer, at frame: Int
  ) -> Bool {
    // The object's own header, and the headers and bodies of two properties.
    let length = 8 + 24 + 16 + (bytes.count + 7) / 8 * 8
    guard let object = reserve(length, at: Int64(frame), types.object),
      let start = bytes.baseAddress
    else { return false }
    object.storeBytes(of: 0, as: UInt32.self)
    object.storeBytes(of: types.patchSet, toByteOffset: 4, as: UInt32.self)
    writeHeader(types.patchProperty, types.urid, 4, to: object + 8)
    object.storeBytes(of: UInt64(key), toByteOffset: 24, as: UInt64.self)
    writeHeader(types.patchValue, type, bytes.count, to: object + 32)
    (object + 48).copyMemory(from: start, byteCount: bytes.count)
    return true
  }

  /// Writes what precedes a property's value.
  @_noLocks private func writeHeader(
    _ key: LV2_URID, _ type: LV2_URID, _ length: Int, to record: UnsafeMutableRawPointer
  ) {
    record.storeBytes(of: key, as: UInt32.self)
    record.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
    record.storeBytes(of: UInt32(length), toByteOffset: 8, as: UInt32.self)
    record.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
  }

  /// Appends an event without its bytes.
  ///
  /// - Returns: The memory for the bytes; `nil` if there is no room.
  @_noLocks mutating func reserve(
    _ length: Int, at frame: Int64, _ type: LV2_URID
  ) -> UnsafeMutableRawPointer? {
    let size = 16 + (length + 7) / 8 * 8
    guard let memory, count + size <= capacity else {
      count = capacity
      return nil
    }
    let event = memory + count
    event.storeBytes(of: frame, as: Int64.self)
    event.storeBytes(of: UInt32(length), toByteOffset: 8, as: UInt32.self)
    event.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
    count += size
    memory.storeBytes(of: UInt32(count - 8), as: UInt32.self)
    return event + 16
  }
}
