import LocalSystem
import RenderCore
import Synchronization
import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) final class KeyActivityTests {
  private let keys = KeyActivity()

  deinit { keys.destroy() }

  private func play(
    _ kind: ChannelMessage.Kind, _ first: UInt8, _ second: UInt8, channel: UInt8 = 0,
    sound: UInt8 = 0
  ) { keys.follow(ChannelMessage(kind, channel: channel, first, second), of: sound) }

  private var held: [Int] { (0..<128).filter { keys.state(of: $0).isHeld } }

  @Test func `a key is held from its note-on to its note-off`() {
    play(.noteOn, 60, 100)
    play(.noteOn, 127, 1)
    #expect(held == [60, 127])
    play(.noteOff, 60, 64)
    play(.noteOn, 127, 0)
    #expect(held == [])
  }

  @Test func `a note between two looks is counted`() {
    play(.noteOn, 60, 100)
    play(.noteOff, 60, 64)
    #expect(keys.state(of: 60) == (false, 1))
    for _ in 0..<65_536 {
      play(.noteOn, 60, 100)
      play(.noteOff, 60, 64)
    }
    #expect(keys.state(of: 60) == (false, 1))
  }

  @Test func `a key that two channels or sounds hold is held until both release it`() {
    play(.noteOn, 60, 100)
    play(.noteOn, 60, 100, channel: 15)
    play(.noteOn, 60, 100, sound: 3)
    play(.noteOff, 60, 64)
    play(.noteOff, 60, 64, channel: 15)
    #expect(held == [60])
    play(.noteOff, 60, 64, sound: 3)
    #expect(held == [])
  }

  @Test(arguments: [UInt8(120), 123, 124, 127])
  func `a controller that ends notes releases the keys of its channel`(_ number: UInt8) {
    for key in [UInt8(0), 60, 127] {
      play(.noteOn, key, 100)
      play(.noteOn, key, 100, channel: 1)
    }
    play(.controlChange, number, 0, channel: 1)
    #expect(held == [0, 60, 127])
    play(.controlChange, number, 0)
    #expect(held == [])
  }

  @Test func `a reset by System Exclusive releases all keys`() {
    play(.noteOn, 60, 100)
    play(.noteOn, 62, 100, channel: 9, sound: 3)
    // GM System On.
    [0x7E, 0x7F, 0x09, 0x01].withUnsafeBufferPointer { keys.follow(sysEx: $0) }
    #expect(held == [])
  }

  @Test func `other messages change nothing`() {
    play(.noteOn, 60, 100)
    // GM System Off.
    [0x7E, 0x7F, 0x09, 0x02].withUnsafeBufferPointer { keys.follow(sysEx: $0) }
    for kind in [ChannelMessage.Kind.controlChange, .keyPressure, .programChange, .pitchBend] {
      play(kind, 60, 0)
    }
    #expect(held == [60])
  }
}

/// Programs of this process that play a port, beside keyboards.
@Suite(.timeLimit(.minutes(5))) struct LiveInputProgramTests {
  private let input = LiveInput()
  private let program = LiveInput.Source(48)

  @Test func `a program is a source beside keyboards`() {
    input.connect(program, named: "Panel")
    #expect(input.hasSources && input.sourceNames == ["Panel"])
    input.sourceNames = ["Keys"]
    #expect(input.sourceNames == ["Keys", "Panel"])
    input.connect(LiveInput.Source(49), named: "Panel")
    #expect(input.sourceNames == ["Keys", "Panel"])
    input.sourceNames = []
    input.disconnect(program, at: 0)
    #expect(input.sourceNames == ["Panel"])
    input.disconnect(LiveInput.Source(49), at: 0)
    #expect(!input.hasSources)
  }

  @Test func `notes end: those of a program that is disconnected, and no others`() {
    let player = Player(input)
    input.connect(program, named: "Panel")
    input.send(.channel(ChannelMessage(.noteOn, channel: 0, 60, 100)), from: program, at: 0)
    input.send(.channel(ChannelMessage(.noteOn, channel: 0, 64, 100)), from: keyboard, at: 0)
    _ = player.played()
    input.disconnect(program, at: 1)
    #expect(player.played() == [[0x80, 60, 64]])
  }

  @Test func `the played keys are those of the consumer of now`() {
    #expect(input.playedKeys.isEmpty)
    let (device, host) = (InputFIFO(), InputFIFO())
    input.add(device, as: .device, at: 0)
    device.keys.follow(ChannelMessage(.noteOn, channel: 0, 60, 100))
    #expect(input.playedKeys == [PlayedKey(key: 60, isHeld: true, strikes: 1)])
    input.add(host, as: .host, at: 0)
    #expect(input.playedKeys.isEmpty)
    // The sounds of zones are played on the device.
    input.setZones([Zone()])
    #expect(input.playedKeys.count == 1)
    input.remove(host, at: 0)
    #expect(input.playedKeys.count == 1)
  }

  @Test func `the played keys are read while consumers come and go`() throws {
    let isDone = Atomic(false)
    let thread = try SystemThread(name: "consumers") { [input] in
      for _ in 0..<2000 {
        let fifo = InputFIFO()
        input.add(fifo, as: .device, at: 0)
        input.remove(fifo, at: 0)
      }
      isDone.store(true, ordering: .releasing)
    }
    // In memory that is freed, other values are soon.
    var areEmpty = true
    while !isDone.load(ordering: .acquiring) { areEmpty = areEmpty && input.playedKeys.isEmpty }
    thread.join()
    #expect(areEmpty)
  }
}
