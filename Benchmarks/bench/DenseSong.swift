import MIDIFile
import RenderCore

/// Returns a song of random notes on twelve channels, 60 notes per second, with pedals, bends and controllers.
///
/// No note recurs, so nothing can be played from a recording.
func denseSong(seconds: Int = 60) -> StandardMIDIFile {
  var random = Seeded(2)
  let second: Int64 = 1920
  var events: [StandardMIDIFile.Event] = []
  func add(_ tick: Int64, _ kind: ChannelMessage.Kind, _ channel: UInt8, _ a: UInt8, _ b: UInt8 = 0)
  {
    events.append(.init(tick: tick, .channel(ChannelMessage(kind, channel: channel, a, b))))
  }
  func number(_ range: ClosedRange<UInt8>) -> UInt8 { .random(in: range, using: &random) }
  func tick() -> Int64 { .random(in: 0..<Int64(seconds) * second, using: &random) }

  let programs: [UInt8] = [0, 4, 19, 24, 33, 48, 52, 56, 61, 73, 81, 89]
  for channel in UInt8(0)..<12 where channel != 9 {
    add(0, .programChange, channel, programs.randomElement(using: &random)!)
  }
  for _ in 0..<seconds * 60 {
    let (begin, channel) = (tick(), number(0...11))
    let key = channel == 9 ? number(35...81) : number(36...95)
    let length = Int64.random(in: 20...1400, using: &random)
    add(begin, .noteOn, channel, key, number(30...119))
    add(begin + length, .noteOff, channel, key, 64)
  }
  for _ in 0..<seconds * 6 {
    let (begin, channel) = (tick(), number(0...11))
    switch number(0...9) {
    case 0...2:
      add(begin, .controlChange, channel, 64, 127)
      add(begin + .random(in: 1...1500, using: &random), .controlChange, channel, 64, 0)
    case 3...5: add(begin, .pitchBend, channel, number(0...127), number(0...127))
    case 6...7: add(begin, .channelPressure, channel, number(0...127))
    default:
      let controller = ([1, 7, 10, 11, 91, 93] as [UInt8]).randomElement(using: &random)!
      add(begin, .controlChange, channel, controller, number(0...127))
    }
  }
  events.sort { $0.tick < $1.tick }
  return StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(960), tracks: [.init(events)])
}
