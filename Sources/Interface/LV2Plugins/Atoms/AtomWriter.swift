import CLV2
import RenderCore

/// Writes MIDI events and values of properties to an atom port.
///
/// Events that do not fit into the port's memory are dropped, and all that follow in the same cycle, so that no note-on
/// is written whose predecessor is missing.
///
/// Realtime: yes.
struct AtomWriter: BitwiseCopyable {
  private let memory: UnsafeMutableRawPointer?
  private let capacity: Int
  private var count = 16
  private let midi: LV2_URID

  /// Begins an empty sequence.
  ///
  /// - Parameter port: The memory of an atom port, whose size the host has set; may be `nil`.
  @_noLocks init(_ port: UnsafeMutableRawPointer?, _ types: AtomTypes) {
    midi = types.midi
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

  /// Appends the events that a node has sent.
  ///
  /// - Parameters:
  ///   - begin: The frame of the cycle's first frame in the host's cycle.
  ///   - sent: Follows the events that are written.
  @_noLocks mutating func append(
    _ cycle: MIDICycle, from begin: Int, _ sent: UnsafeMutablePointer<SourceState>
  ) {
    for event in cycle.events {
      let length = cycle.byteCount(of: event.content)
      guard let bytes = reserve(length, at: Int64(begin) + Int64(event.offset), midi) else {
        return
      }
      cycle.write(event.content, to: bytes.bindMemory(to: UInt8.self, capacity: length))
      switch event.content {
      case .channel(let message): sent.pointee.follow(message)
      case .sysEx(let start, let count):
        let inner = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
        sent.pointee.follow(sysEx: UnsafeBufferPointer(rebasing: inner))
      case .system: break
      }
    }
  }

  /// Ends what a node has sent, as far as there is room.
  @_noLocks mutating func end(_ sent: inout SourceState, at frame: Int) {
    sent.end { message in
      let (cycle, content) = (MIDICycle(frames: 1), MIDIEvent.Content.channel(message))
      let length = cycle.byteCount(of: content)
      guard let bytes = reserve(length, at: Int64(frame), midi) else { return false }
      cycle.write(content, to: bytes.bindMemory(to: UInt8.self, capacity: length))
      return true
    }
  }

  /// Appends a message with the value of a property, at the first frame.
  @_noLocks mutating func append(_ value: PropertyMailbox.Value, _ types: AtomTypes) {
    let count = value.bytes.count
    // The object's own header, and the headers and bodies of two properties.
    let length = 8 + 24 + 16 + (count + 7) / 8 * 8
    guard let object = reserve(length, at: 0, types.object), let start = value.bytes.baseAddress
    else { return }
    object.storeBytes(of: 0, as: UInt32.self)
    object.storeBytes(of: types.patchSet, toByteOffset: 4, as: UInt32.self)
    writeHeader(types.patchProperty, types.urid, 4, to: object + 8)
    object.storeBytes(of: UInt64(value.key), toByteOffset: 24, as: UInt64.self)
    writeHeader(types.patchValue, value.type, count, to: object + 32)
    (object + 48).copyMemory(from: start, byteCount: count)
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
  @_noLocks private mutating func reserve(
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
