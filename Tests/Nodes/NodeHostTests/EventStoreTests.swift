import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct EventStoreTests {
  @Test
  func `events leave in the order of their frames, those of one frame in the order of arrival`() {
    let store = Store()
    for (key, frame) in [(1, 50), (2, 10), (3, 50), (4, 10), (5, -3), (6, 50)] {
      #expect(store.insert([0x90, UInt8(key), 100], at: Int64(frame)))
    }
    #expect(store.takeAll().map { $0.bytes[1] } == [5, 2, 4, 1, 3, 6])
  }

  @Test func `has as many slots as the FIFO, and refuses more`() {
    let store = Store()
    for i in 0..<SegmentLayout.eventSlots {
      #expect(store.insert([0x90, UInt8(i & 127), 1], at: Int64(i)))
    }
    #expect(!store.insert([0x80, 1, 1], at: 0))
    #expect(!store.insert([0xF0, 0xF7], at: 0))
    #expect(store.takeFirst()?.bytes == [0x90, 0, 1])
    #expect(store.insert([0x80, 1, 1], at: 0))
    #expect(!store.insert([0x80, 1, 1], at: 0))
    #expect(store.takeAll().count == SegmentLayout.eventSlots)
  }

  @Test func `the longest System Exclusive message fits an empty store, and fills it`() {
    let store = Store()
    let longest = [0xF0] + (0..<SegmentLayout.longestSysEx).map { UInt8($0 & 127) } + [0xF7]
    for _ in 0..<3 {
      #expect(store.insert(longest, at: 0))
      #expect(!store.insert([0x80, 1, 1], at: 0))
      #expect(store.takeAll().map(\.bytes) == [longest])
    }
  }

  @Test func `a message for a much later frame does not block others`() {
    let store = Store()
    #expect(store.insert([0xF0, 1, 2, 3, 0xF7], at: .max))
    let message = [0xF0] + [UInt8](repeating: 5, count: 50_000) + [0xF7]
    for _ in 0..<10 {
      #expect(store.insert(message, at: 0))
      #expect(store.takeFirst()?.bytes == message)
    }
    for i in 0..<3000 {
      #expect(store.insert([0xF0, UInt8(i & 127), 0xF7], at: 0))
      #expect(store.takeFirst()?.bytes == [0xF0, UInt8(i & 127), 0xF7])
    }
    #expect(store.takeFirst()?.bytes == [0xF0, 1, 2, 3, 0xF7])
  }

  @Test(arguments: 1...4)
  func `behaves like a sorted list for any sequence of operations`(seed: Int) {
    var random = Seeded(UInt64(seed))
    let store = Store()
    var model: [Stored] = []
    var slots = 0
    // The store alternately grows and shrinks, so that it becomes both full and empty.
    for round in 0..<6000 {
      let grows = (round / 1500) % 2 == 0
      if Int.random(in: 0..<10, using: &random) < (grows ? 8 : 2) {
        let event = Stored(
          frame: .random(in: -20...20, using: &random), bytes: randomMessage(&random))
        let isAccepted = slots + event.slots <= SegmentLayout.eventSlots
        #expect(store.insert(event.bytes, at: event.frame) == isAccepted)
        if isAccepted {
          slots += event.slots
          model.insert(event, at: place(of: event.frame, in: model))
        }
      } else {
        let expected = model.isEmpty ? nil : model.removeFirst()
        slots -= expected?.slots ?? 0
        #expect(store.takeFirst() == expected)
      }
    }
    #expect(store.takeAll() == model)
    #expect(store.store.first == nil)
  }

  /// Returns the index after all events that are not later than `frame`.
  private func place(of frame: Int64, in model: [Stored]) -> Int {
    var (low, high) = (0, model.count)
    while low < high {
      let middle = (low + high) / 2
      if model[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func randomMessage(_ random: inout Seeded) -> [UInt8] {
    let key = UInt8.random(in: 0...127, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: break
    case 2: return [0xF2, key, 1]
    case 3: return [0, key, 1]
    default: return [0x90, key, 1]
    }
    let count = Int.random(in: 0...100, using: &random)
    return [0xF0] + (0..<count).map { UInt8(($0 + Int(key)) & 127) } + [0xF7]
  }
}

/// A stored event with its bytes.
private struct Stored: Equatable {
  var frame: Int64
  var bytes: [UInt8]
  var slots: Int {
    switch bytes[0] {
    case 0xF0: SegmentLayout.slots(forSysEx: bytes.count - 2)
    case 0: SegmentLayout.slotsOfParameter
    default: 1
    }
  }
}

/// A store whose System Exclusive messages are read back through a FIFO.
private final class Store {
  private let memory = RenderMemory()
  var store: EventStore

  init() { store = EventStore(in: memory) }

  func insert(_ bytes: [UInt8], at frame: Int64) -> Bool {
    if bytes[0] == 0 {
      let change = ParameterChange(offset: 0, index: UInt32(bytes[1]), value: Float(bytes[2]))
      return store.insert(change, at: frame)
    }
    if bytes[0] != 0xF0 {
      if let message = SystemMessage(status: bytes[0], data1: bytes[1], data2: bytes[2]) {
        return store.insert(message, at: frame)
      }
      let message = ChannelMessage(status: bytes[0], data1: bytes[1], data2: bytes[2])!
      return store.insert(message, at: frame)
    }
    return bytes[1..<bytes.count - 1].withUnsafeBufferPointer {
      store.insert(sysEx: $0, at: frame)
    }
  }

  func takeFirst() -> Stored? {
    guard let event = store.first else { return nil }
    let bytes: [UInt8]
    switch event.content {
    case .channel(let message): bytes = [message.status, message.data1, message.data2]
    case .system(let message): bytes = [message.status, message.data1, message.data2]
    case .sysEx(let message): bytes = [0xF0] + store.sysEx.bytes(of: message) + [0xF7]
    case .parameter(let change): bytes = [0, UInt8(change.index), UInt8(change.value)]
    }
    store.removeFirst()
    return Stored(frame: event.frame, bytes: bytes)
  }

  func takeAll() -> [Stored] {
    var all: [Stored] = []
    while let event = takeFirst() { all.append(event) }
    return all
  }
}
