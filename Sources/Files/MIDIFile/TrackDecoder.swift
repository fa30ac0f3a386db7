import RenderCore

/// Decodes the events of one track chunk.
///
/// The framing determines what can be repaired: as long as every event's length is known, a wrong byte affects at most
/// one event; otherwise the rest of the track is dropped.
struct TrackDecoder {
  /// The reason why decoding of a track ended.
  enum Ending: Error, Equatable {
    case endOfTrack
    /// The bytes ended, between two events or inside one.
    case ranOut(insideEvent: Bool)
    /// The length of an event is unknown.
    case unreadable
  }

  private var cursor: ByteCursor
  private(set) var repairs: RepairLog
  private(set) var events: [StandardMIDIFile.Event] = []
  /// The tick of the last complete event, or of the end of track.
  private(set) var tick: Int64 = 0

  private var eventOffset = 0
  private var eventTick: Int64 = 0
  private var runningStatus: UInt8 = 0
  private var isRunningStatusInterrupted = false
  private var sysEx: SysExAssembly?

  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, repairs: RepairLog) {
    self.cursor = ByteCursor(bytes, range)
    self.repairs = repairs
  }

  /// The offset of the last event, which may be incomplete.
  var lastEventOffset: Int { eventOffset }

  /// The first byte after the track.
  var position: Int { cursor.position }

  var track: StandardMIDIFile.Track { StandardMIDIFile.Track(unchecked: events, endTick: tick) }

  /// Decodes up to the end of the track or of the bytes.
  mutating func decode() -> Ending {
    defer { endSysEx() }
    do throws(Ending) {
      while true {
        eventOffset = cursor.position
        guard cursor.remaining > 0 else { throw .ranOut(insideEvent: false) }
        try decodeEvent()
        tick = eventTick
      }
    } catch {
      if case .endOfTrack = error { tick = eventTick }
      return error
    }
  }

  @inline(__always)
  private mutating func decodeEvent() throws(Ending) {
    eventTick = tick + Int64(try quantity())
    let first = try byte()
    if first < 0xF0 {
      try decodeChannelMessage(first)
    } else {
      // RP-001 ends running status here, but many files continue it, and their meaning is clear.
      isRunningStatusInterrupted = true
      switch first {
      case 0xFF: try decodeMeta()
      case 0xF0:
        let packet = try payload()
        endSysEx()
        sysEx = SysExAssembly(offset: eventOffset)
        append(packet: packet)
      case 0xF7 where sysEx != nil: append(packet: try payload())
      case 0xF7: append(.escape([UInt8](try payload())))
      default: try skipSystemMessage(first)
      }
    }
  }

  @inline(__always)
  private mutating func decodeChannelMessage(_ first: UInt8) throws(Ending) {
    if sysEx != nil { endSysEx() }
    let data1: UInt8
    if first >= 0x80 {
      runningStatus = first
      data1 = try dataByte()
    } else {
      guard runningStatus != 0 else {
        repairs.add(.noStatus(byte: first), at: cursor.position - 1)
        throw .unreadable
      }
      if isRunningStatusInterrupted {
        repairs.add(.runningStatusAfterMeta, at: cursor.position - 1)
      }
      data1 = first
    }
    isRunningStatusInterrupted = false
    let data2 = ChannelMessage.dataCount(ofStatus: runningStatus) == 2 ? try dataByte() : 0
    append(.channel(ChannelMessage(status: runningStatus, data1: data1, data2: data2)!))
  }

  private mutating func decodeMeta() throws(Ending) {
    let type = try byte()
    let data = try payload()
    guard type != MetaEvent.endOfTrackType else { throw .endOfTrack }
    guard type < 0x80 else {
      repairs.add(.metaType(type), at: eventOffset)
      return
    }
    let meta = MetaEvent(type: type, data: [UInt8](data))
    if meta.isMalformed {
      repairs.add(.malformedMeta(type: type, byteCount: data.count), at: eventOffset)
    }
    append(.meta(meta))
  }

  private mutating func append(packet: UnsafeRawBufferPointer) {
    // Moved out while it is modified, so that its bytes are not copied with every packet.
    guard var message = sysEx.take() else { return }
    message.append(packet, at: cursor.position - packet.count, &repairs)
    message.eventIndex = events.count
    message.tick = eventTick
    if message.isComplete {
      append(.sysEx(message.bytes))
    } else {
      sysEx = message
    }
  }

  /// Ends a SysEx message without F7, at the position of its last packet.
  private mutating func endSysEx() {
    guard let message = sysEx.take() else { return }
    repairs.add(.unterminatedSysEx, at: message.offset)
    events.insert(
      StandardMIDIFile.Event(tick: message.tick, .sysEx(message.bytes)), at: message.eventIndex)
  }

  /// Skips system common and realtime messages, which do not belong in files but are written by some programs.
  private mutating func skipSystemMessage(_ status: UInt8) throws(Ending) {
    repairs.add(.systemMessage(status: status), at: eventOffset)
    switch status {
    case 0xF1, 0xF3: _ = try dataByte()
    case 0xF2:
      _ = try dataByte()
      _ = try dataByte()
    default: break
    }
  }

  @inline(__always)
  private mutating func append(_ content: StandardMIDIFile.Content) {
    events.append(StandardMIDIFile.Event(tick: eventTick, content))
  }
}

extension TrackDecoder {
  @inline(__always)
  private mutating func byte() throws(Ending) -> UInt8 {
    guard let byte = cursor.next() else { throw .ranOut(insideEvent: true) }
    return byte
  }

  @inline(__always)
  private mutating func dataByte() throws(Ending) -> UInt8 {
    let byte = try byte()
    if byte < 0x80 { return byte }
    // Treated as data nevertheless, so that the following bytes keep their meaning.
    repairs.add(.dataByteTooLarge(byte), at: cursor.position - 1)
    return 0x7F
  }

  @inline(__always)
  private mutating func quantity() throws(Ending) -> Int {
    let start = cursor.position
    guard let (value, byteCount) = cursor.quantity() else { throw .ranOut(insideEvent: true) }
    guard let value else {
      repairs.add(.quantityTooLarge, at: start)
      throw .unreadable
    }
    if byteCount > 4 { repairs.add(.quantityTooLong(byteCount: byteCount), at: start) }
    return value
  }

  private mutating func payload() throws(Ending) -> UnsafeRawBufferPointer {
    let count = try quantity()
    guard let payload = cursor.read(count) else { throw .ranOut(insideEvent: true) }
    return payload
  }
}

/// Assembles a SysEx message from its packets, up to its F7.
struct SysExAssembly {
  /// The offset in the file of the first packet's event.
  let offset: Int
  private(set) var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// The event index of the last packet, where the message is inserted if no further packet follows.
  fileprivate var eventIndex = 0
  var tick: Int64 = 0

  init(offset: Int) {
    self.offset = offset
  }

  /// Adds a packet's bytes, up to F7 if it contains one.
  ///
  /// - Parameter position: The offset in the file of the packet's bytes.
  mutating func append(
    _ packet: UnsafeRawBufferPointer, at position: Int, _ repairs: inout RepairLog
  ) {
    var body = packet[...]
    if let end = packet.firstIndex(of: 0xF7) {
      isComplete = true
      body = packet[..<end]
      let surplus = packet.count - end - 1
      if surplus > 0 { repairs.add(.bytesAfterSysEx(byteCount: surplus), at: position + end + 1) }
    }
    let before = bytes.count
    bytes.append(contentsOf: body.lazy.filter { $0 < 0x80 })
    let left = body.count - (bytes.count - before)
    if left > 0 { repairs.add(.statusInsideSysEx(byteCount: left), at: position) }
  }
}
