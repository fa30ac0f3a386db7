import NodeProtocol
import Testing

@Suite(.timeLimit(.minutes(5))) struct PartReceiverTests {
  @Test func `bytes come in parts, which must follow each other`() throws {
    var receiver = PartReceiver("song", limit: 9)
    let (first, second) = ("TVRo", "ZA==")
    #expect(try receiver.add(first, at: 0, of: 4) == nil)
    #expect(try receiver.add(second, at: 3, of: 4) == Array("MThd".utf8))
    for (data, offset, total) in [
      (second, 3, 4), ("!", 0, 4), ("", 0, 4), (first, 0, 2), (first, 0, 10),
    ] {
      #expect(throws: ProtocolError.self) { try receiver.add(data, at: offset, of: total) }
    }
  }

  @Test(arguments: [1, 32_767, 32_768, 32_769, 200_000])
  func `parts are as long as a packet holds, and together are the bytes`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var (receiver, offset, received) = (PartReceiver("state", limit: count), 0, [UInt8]?.none)
    while offset < count {
      #expect(received == nil)
      let (data, end) = bytes.base64Part(from: offset)
      #expect(end > offset && data.utf8.count < PacketSocket.limit * 3 / 4)
      received = try receiver.add(data, at: offset, of: count)
      offset = end
    }
    #expect(received == bytes)
    #expect(bytes.base64Part(from: count) == ("", count))
    #expect(bytes.base64Part(from: -5).end == min(count, 32_768))
  }
}
