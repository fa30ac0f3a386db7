import JACKTestSupport
import LiveAudio
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import JACKAudio

extension JACKServerTests {
  @Suite(.timeLimit(.minutes(5))) struct JACKMIDIOutputTests {
    /// A sending and a receiving client, which are connected.
    private struct Pair {
      let server: TestJACKServer
      let sender: JACKDevice
      let receiver: JACKDevice
      let received = MIDIRenderer()
      let events = SoundEvents()

      init(frames: Int, sending renderer: MIDIRenderer) throws {
        server = try TestJACKServer(frames: frames, waiting: 5000)
        let timeline = JACKTimeline()
        sender = try join(
          server.name, client: "Sender", GraphSignals(sendsMIDI: true), timeline: timeline)
        receiver = try join(
          server.name, client: "Receiver", GraphSignals(takesMIDI: true), timeline: timeline)
        try sender.start(renderer.renderer, report: events.record)
        try receiver.start(received.renderer, report: { _ in })
        let connection = JACKConnection(port: "midi_out", other: "Receiver:midi_in")
        let client = try #require(sender.client)
        #expect(client.perform(within: 20) { client.connect(connection) } == true)
        // A connection acts a cycle later.
        let cycles = renderer.cycles
        #expect(eventually { renderer.cycles > cycles + 4 })
      }

      func stop() {
        sender.stop()
        receiver.stop()
      }
    }

    private static func note(_ number: Int, isOn: Bool = true) -> ChannelMessage {
      ChannelMessage(
        isOn ? .noteOn : .noteOff, channel: UInt8(number / 128 % 16), UInt8(number % 128), 64)
    }

    @Test(arguments: [64, 256, 1024])
    func `zero latency: another client receives each message on its frame of the same cycle`(
      frames: Int
    ) throws {
      let sent = (0..<1000).map { index in
        MIDIRenderer.Message(Int64(index * 67), Self.note(index))
      }
      let renderer = MIDIRenderer(sending: sent)
      let pair = try Pair(frames: frames, sending: renderer)
      defer { pair.stop() }
      renderer.start()
      #expect(eventually { pair.received.received.count >= sent.count })
      let start = renderer.startPosition
      #expect(
        pair.received.received
          == sent.map { MIDIRenderer.Message($0.position + start, $0.message) })
    }

    @Test func `nothing lost: what exceeds a cycle is refused and reported, the rest arrives`()
      throws
    {
      let sent = (0..<6000).map { MIDIRenderer.Message(Int64($0 / 100), Self.note($0)) }
      let renderer = MIDIRenderer(sending: sent)
      let pair = try Pair(frames: 64, sending: renderer)
      defer { pair.stop() }
      renderer.start()
      #expect(eventually { pair.events.all.contains { $0 == .refusedMIDI(renderer.refused) } })
      #expect(renderer.accepted + renderer.refused == sent.count)
      #expect(renderer.accepted > 1500)
      #expect(eventually { pair.received.received.count == renderer.accepted })
      #expect(
        pair.received.received.map(\.message) == sent.prefix(renderer.accepted).map(\.message))
    }

    @Test func `notes end: those that another client holds end when the device stops`() throws {
      let renderer = MIDIRenderer(sending: [
        MIDIRenderer.Message(0, Self.note(60)), MIDIRenderer.Message(1, Self.note(61)),
        MIDIRenderer.Message(2, Self.note(60, isOn: false)),
        MIDIRenderer.Message(3, ChannelMessage(.controlChange, channel: 3, 64, 127)),
        MIDIRenderer.Message(4, ChannelMessage(.pitchBend, channel: 3, 0, 127)),
      ])
      let pair = try Pair(frames: 1024, sending: renderer)
      defer { pair.stop() }
      renderer.start()
      #expect(eventually { pair.received.received.count == 5 })
      pair.sender.stop()
      #expect(eventually { pair.received.received.count == 8 })
      #expect(
        pair.received.received.dropFirst(5).map(\.message) == [
          ChannelMessage(.noteOff, channel: 0, 61, 64),
          ChannelMessage(.controlChange, channel: 3, 64, 0),
          ChannelMessage(.pitchBend, channel: 3, 0, 64),
        ])
    }
  }
}
