/// Assembles a SysEx message from its packets, up to its F7.
struct SysExAssembly {
  /// The offset in the file of the first packet's event.
  let offset: Int
  private(set) var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// The event index of the last packet, where the message is inserted if no further packet follows.
  var eventIndex = 0
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
