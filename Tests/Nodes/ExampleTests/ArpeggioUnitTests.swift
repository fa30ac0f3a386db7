import ConnectionTestSupport
import TestSupport
import Testing

@testable import ArpeggioNode
@testable import RenderCore

/// Renders a unit and collects the events that it sends.
private final class Player {
  private let unit = ArpeggioUnit(Format(outputChannels: 2, maximumFrames: 1024))
  private let output = StereoOutput(frames: 1024)
  private let memory = RenderMemory()
  private var sent: OutputEventBuffer
  /// The number of frames played so far.
  private(set) var frames = 0
  private(set) var received: [ReceivedEvent] = []

  init() { sent = OutputEventBuffer(slots: 64, slotSize: 16, in: memory) }

  func play(
    _ count: Int, _ messages: [(offset: Int, message: ChannelMessage)] = [],
    _ transport: Transport? = nil, room: Int = 64
  ) {
    let events = messages.map {
      MIDIEvent(offset: UInt32($0.offset), content: .channel($0.message))
    }
    let points = transport.map { [TransportPoint(offset: 0, $0)] } ?? []
    sent.begin(frames: count, room: room)
    withUnsafeMutablePointer(to: &sent) { sent in
      events.withUnsafeBufferPointer { events in
        points.withUnsafeBufferPointer { points in
          var cycle = RenderCycle(
            midi: MIDICycle(
              frames: count, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
            position: 0, hostTime: 0, transport: points,
            output: UnsafePointer(output.pointers), midiOutput: MIDIOutput(sent))
          _ = unit.renderer.procedure(unit.renderer.state, &cycle)
        }
      }
    }
    received += sent.inOrder().list.map { ReceivedEvent($0.frame + frames, $0.bytes) }
    frames += count
  }
}

private func song(_ frame: Int, tempo: Double = 97, isPlaying: Bool = true) -> Transport {
  var transport = Transport()
  transport.isPlaying = isPlaying
  transport.tempo = tempo
  transport.beat = Double(frame) * tempo / 60 / 48_000
  return transport
}

private func on(_ key: UInt8) -> ChannelMessage { ChannelMessage(.noteOn, channel: 0, key, 100) }
private func off(_ key: UInt8) -> ChannelMessage { ChannelMessage(.noteOff, channel: 0, key, 64) }

@Suite(.timeLimit(.minutes(5))) struct ArpeggioUnitTests {
  private let player = Player()

  @Test(arguments: [1, 64, 1000, 0])
  func `held keys are sent one by one on the frames of sixteenths`(
    length: Int
  ) {
    var random = Seeded(3)
    player.play(1, [(0, on(67)), (0, on(60)), (0, on(64))], song(0))
    while player.frames < 50_000 {
      player.play(
        length == 0 ? Int.random(in: 1...1024, using: &random) : length, [], song(player.frames))
    }
    // The frames nearest to the sixteenths, computed from their definition.
    var expected: [ReceivedEvent] = []
    for step in 0... {
      let frame = Int((Double(step) / 4 * 60 / 97 * 48_000).rounded())
      if frame >= player.frames { break }
      let keys: [UInt8] = [60, 64, 67]
      if step > 0 { expected.append(ReceivedEvent(frame, [0x80, keys[(step - 1) % 3], 64])) }
      expected.append(ReceivedEvent(frame, [0x90, keys[step % 3], 100]))
    }
    #expect(player.received == expected)
  }

  @Test func `every note ends: without keys, when the song stops, and without room`() {
    player.play(100, [(0, on(60))], song(0))
    player.play(100, [(0, off(60))], song(100))
    // The next sixteenth would be at frame 7423.
    while player.frames < 8000 { player.play(100, [], song(player.frames)) }
    #expect(player.received.map(\.frame) == [0, 7423])

    player.play(100, [(0, on(72))], song(0))
    player.play(100, [], song(100, isPlaying: false), room: 0)
    player.play(100, [], song(100, isPlaying: false))
    player.play(100, [], song(0))
    player.play(100)
    #expect(
      player.received.dropFirst(2) == [
        ReceivedEvent(8000, [0x90, 72, 100]), ReceivedEvent(8200, [0x80, 72, 64]),
        ReceivedEvent(8300, [0x90, 72, 100]), ReceivedEvent(8400, [0x80, 72, 64]),
      ])
  }
}
