import RenderCore
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(5))) struct GraphRemoteControlTests {
  private func transport(atFrame frame: Int64, beat: Double, tempo: Double) -> Transport {
    var transport = Transport(provides: [.state, .songFrame, .beat])
    (transport.songFrame, transport.beat, transport.tempo) = (frame, beat, tempo)
    return transport
  }

  @Test func `a jump goes to the frame of the beat in the present tempo`() {
    let here = transport(atFrame: 48_000, beat: 2, tempo: 120)
    for (beat, frame) in [(2.0, 48_000), (3, 72_000), (1.5, 36_000), (8, 192_000)] {
      #expect(GraphRemoteControl.frame(ofBeat: beat, here, sampleRate: 48_000) == Int64(frame))
    }
    let fast = transport(atFrame: 0, beat: 0, tempo: 999)
    #expect(GraphRemoteControl.frame(ofBeat: 1, fast, sampleRate: 44_100) == 2649)
  }

  @Test func `a jump before the song goes to its start`() {
    let here = transport(atFrame: 48_000, beat: 50, tempo: 60)
    #expect(GraphRemoteControl.frame(ofBeat: 3, here, sampleRate: 48_000) == 0)
    #expect(GraphRemoteControl.frame(ofBeat: -1, here, sampleRate: 48_000) == 0)
  }

  @Test func `without a tempo only the start can be reached`() {
    let unknown = Transport(provides: [.state, .songFrame])
    #expect(GraphRemoteControl.frame(ofBeat: 4, unknown, sampleRate: 48_000) == nil)
    #expect(GraphRemoteControl.frame(ofBeat: 0, unknown, sampleRate: 48_000) == 0)
    let stopped = transport(atFrame: 5, beat: 0, tempo: 0)
    #expect(GraphRemoteControl.frame(ofBeat: 4, stopped, sampleRate: 48_000) == nil)
  }

  @Test func `a beat beyond all frames is refused`() {
    let here = transport(atFrame: 0, beat: 0, tempo: 1e-300)
    #expect(GraphRemoteControl.frame(ofBeat: 1e9, here, sampleRate: 48_000) == nil)
  }
}
