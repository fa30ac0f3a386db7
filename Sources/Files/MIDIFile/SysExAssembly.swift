/// A SysEx message that is put together from its packets, until its F7 comes.
struct SysExAssembly {
  /// Where in the file its first packet's event begins.
  let offset: Int
  private(set) var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// The place of the last packet: where the message belongs if nothing more comes.
  var eventIndex = 0
  var tick: Int64 = 0

  init(offset: Int) {
    self.offset = offset
  }

  /// Adds a packet's bytes, up to F7 if it holds one.
  ///
  /// - Parameter position: Where in the file the packet's bytes begin.
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
