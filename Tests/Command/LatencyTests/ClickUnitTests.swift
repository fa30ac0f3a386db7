import LocalSystem
import RenderCore
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct ClickUnitTests {
  private let unit = ClickUnit(Format(maximumFrames: 8))

  @Test func `a note is two frames of opposite sign from its frame on, in both channels`() {
    let click: [Float] = [0, 0, 0, 0.5, -0.5, 0, 0, 0]
    #expect(render([note(3)]) == [click, click])
    #expect(render([]) == [[Float](repeating: 0, count: 8), [Float](repeating: 0, count: 8)])
  }

  @Test func `a click in the last frame of a cycle ends in the next cycle`() {
    #expect(render([note(7)])[1] == [0, 0, 0, 0, 0, 0, 0, 0.5])
    #expect(render([])[1] == [-0.5, 0, 0, 0, 0, 0, 0, 0])
    #expect(render([])[1] == [0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `other messages are silent`() {
    let others = [
      ChannelMessage(.noteOff, channel: 0, 60, 0), ChannelMessage(.noteOn, channel: 0, 60, 0),
      ChannelMessage(.controlChange, channel: 0, 7, 100),
    ].map { MIDIEvent(offset: 2, content: .channel($0)) }
    #expect(render(others)[0] == [Float](repeating: 0, count: 8))
  }

  private func note(_ offset: UInt32) -> MIDIEvent {
    MIDIEvent(offset: offset, content: .channel(ChannelMessage(.noteOn, channel: 0, 60, 100)))
  }

  private func render(_ events: [MIDIEvent]) -> [[Float]] {
    var (left, right) = ([Float](repeating: 9, count: 8), [Float](repeating: 9, count: 8))
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        events.withUnsafeBufferPointer { events in
          let output = [left.baseAddress!, right.baseAddress!]
          output.withUnsafeBufferPointer { output in
            var cycle = RenderCycle(
              midi: MIDICycle(
                frames: 8, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
              position: 0, hostTime: 0, output: output.baseAddress!)
            _ = unit.renderer.render(&cycle)
          }
        }
      }
    }
    return [left, right]
  }
}
