import CLV2
import LV2Atoms
import Testing

@testable import LV2Plugins

@Suite(.timeLimit(.minutes(5))) struct AtomReaderTests {
  private func events(_ memory: UnsafeRawPointer?) -> [[UInt8]] {
    var reader = AtomReader(memory, types)
    var events: [[UInt8]] = []
    while let event = reader.first {
      events.append([UInt8(truncatingIfNeeded: event.frame)] + Array(event.body))
      reader.removeFirst()
    }
    return events
  }

  @Test(arguments: 0..<8)
  func `all events are read, at any alignment`(offset: Int) {
    var bytes = AtomBytes()
    bytes.append(at: 3, types.midi, [0x90, 60, 100])
    bytes.append(at: 5, types.midi, [0xC0, 7])
    bytes.append(at: 5, types.midi, Array(0..<17))
    #expect(
      events(bytes.sequence(misalignedBy: offset))
        == [[3, 0x90, 60, 100], [5, 0xC0, 7], [5] + Array(0..<17)])
  }

  @Test func `no memory, another atom and an empty sequence have no events`() {
    let other = AtomBytes().sequence()
    other.storeBytes(of: types.midi, toByteOffset: 4, as: UInt32.self)
    let short = AtomBytes().sequence()
    short.storeBytes(of: 4, as: UInt32.self)
    for memory in [
      nil, UnsafeRawPointer(other), UnsafeRawPointer(short),
      UnsafeRawPointer(AtomBytes().sequence()),
    ] {
      #expect(events(memory) == [])
    }
  }

  @Test(arguments: [17, 1000, Int(UInt32.max)])
  func `an event that is longer than its sequence ends it`(size: Int) {
    var bytes = AtomBytes()
    bytes.append(at: 3, types.midi, [0x90, 60, 100])
    bytes.append(at: 4, types.midi, [0x80, 60, 0], size: size)
    #expect(events(bytes.sequence()) == [[3, 0x90, 60, 100]])
  }

  @Test func `every truncation of a sequence is read without an error`() {
    var bytes = AtomBytes()
    bytes.append(
      at: 3, types.object,
      position([(types.speed, 1), (types.frame, 480), (types.beatsPerMinute, 90)]))
    for count in 0...bytes.bytes.count {
      let memory = bytes.sequence()
      memory.storeBytes(of: UInt32(8 + count), as: UInt32.self)
      var reader = AtomReader(memory, types)
      while let event = reader.first {
        var properties = AtomObject(event, types)?.properties
        while properties?.removeFirst() != nil {}
        reader.removeFirst()
      }
    }
  }
}
