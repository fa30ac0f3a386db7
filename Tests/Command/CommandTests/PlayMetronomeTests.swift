import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing
import portative

/// Returns a song with a note: 3/4 at 120 quarter notes per minute, from tick 1440 on 6/8 at 150, from 2880 on at 90.
private func changingSong() throws -> Data {
  func meter(_ numerator: UInt8, _ power: UInt8) -> StandardMIDIFile.Content {
    .meta(.timeSignature(TimeSignature(numerator: numerator, denominatorPower: power)!))
  }
  let events: [StandardMIDIFile.Event] = [
    .init(tick: 0, meter(3, 2)), .init(tick: 0, .meta(.tempo(500_000))),
    .init(tick: 100, .channel(ChannelMessage(.noteOn, channel: 0, 60, 100))),
    .init(tick: 900, .channel(ChannelMessage(.noteOff, channel: 0, 60, 64))),
    .init(tick: 1440, meter(6, 3)), .init(tick: 1440, .meta(.tempo(400_000))),
    .init(tick: 2880, .meta(.tempo(666_666))),
  ]
  return Data(
    try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [.init(events, endTick: 4320)]
    ).encoded())
}

/// Returns the frame of a tick of the song, calculated without the code under test.
private func frame(_ tick: Double) -> Int {
  let spans: [(begin: Double, end: Double, tempo: Double)] = [
    (0, 1440, 500_000), (1440, 2880, 400_000), (2880, 4320, 666_666),
  ]
  let microseconds = spans.reduce(0) { sum, span in
    sum + max(0, min(tick, span.end) - span.begin) * span.tempo / 480
  }
  return Int((microseconds * 48_000 / 1_000_000).rounded())
}

@Test(arguments: ["64", "1024", "random"])
func `a metronome clicks exactly on the frames of the song's beats`(
  cycle: String
) throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(changingSong())
  try user.serve()
  for (name, words) in [("plain.wav", []), ("clicks.wav", ["--metronome"])] {
    let result = try Program(
      [
        "play", "--node", "last", "-q", "--bits", "32f", "--cycle", cycle, "--tail", "1", "-o",
        user.folder(name),
      ]
        + words + [song],
      variables: user.variables
    ).result()
    #expect(result.exitCode == 0, "\(result.errors)")
  }
  let (plain, both) = (samples(user.folder("plain.wav")), samples(user.folder("clicks.wav")))
  try #require(plain.count == both.count)
  let left = stride(from: 0, to: plain.count, by: 2).map { both[$0] - plain[$0] }
  // A click ends long before the next one: the shortest beat has 9600 frames.
  var (onsets, last) = ([Int](), -10_000)
  for (frame, sample) in left.enumerated() where abs(sample) > 1e-4 {
    if frame - last > 4000 { onsets.append(frame) }
    last = frame
  }
  let quarters = stride(from: 0.0, to: 1440, by: 480)
  let eighths = stride(from: 1440.0, to: 4320, by: 240)
  let beats = (Array(quarters) + Array(eighths)).map(frame)
  #expect(onsets.count == beats.count)
  // A click begins with a zero crossing, so its first sample may be below the threshold.
  #expect(zip(onsets, beats).allSatisfy { (0...1).contains($0 - $1) }, "\(onsets) \(beats)")
}
