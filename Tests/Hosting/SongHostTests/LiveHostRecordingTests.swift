import Foundation
import LiveAudio
import LiveMIDI
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

/// Tests of the recordings of a live host.
@Suite(.timeLimit(.minutes(5))) struct LiveHostRecordingTests {
  @Test(arguments: [[256], [100, 7, 256]])
  func `a recording has the audio heard while it is on, frame by frame`(cycles: [Int]) throws {
    let notes = (0..<300).map { (frame: Int64($0) * 97, key: UInt8(1 + $0 % 90), length: Int64(9)) }
    let song = try PlayedSong(songOfNotes(notes))
    try song.start()
    #expect(!song.host.isRecording)
    try song.hear(3000, cycles: cycles)
    for _ in 0..<2 {
      // The command takes effect with the next plan; plans are 256 frames long.
      let begin = (song.left.count / 256 + (song.left.count % 256 == 0 ? 0 : 1) + 3) * 256
      song.host.execute(.toggleRecord)
      try song.hear(5000, cycles: cycles)
      song.host.execute(.toggleRecord)
      #expect(song.host.isRecording)
      while song.host.isRecording { try song.hear(10, cycles: cycles) }
      let recorded = song.host.recording.recorded()
      #expect(recorded.count % 512 == 0 && recorded.count >= 2 * 4000)
      let places = [begin, begin + 256].filter { place -> Bool in
        let frames = recorded.count / 2
        if place + frames > song.left.count { return false }
        return (0..<frames).allSatisfy { frame -> Bool in
          let isLeft = recorded[2 * frame] == song.left[place + frame]
          return isLeft && recorded[2 * frame + 1] == song.right[place + frame]
        }
      }
      #expect(places.count == 1)
      // After the end, nothing more is recorded.
      try song.hear(2000, cycles: cycles)
      #expect(song.host.recording.recorded().isEmpty)
    }
    #expect(song.host.recording.ring.lost == 0)
  }

  @Test func `keyboard events are recorded on the frame on which they are heard`() throws {
    let song = try PlayedSong(songOfNotes([], end: 500_000), maximumFrames: 4096, mode: .realtime)
    song.host.execute(.toggleRecord)
    try song.start()
    for key in UInt8(1)...40 {
      song.nodes.ports[0][0].input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 90)), from: LiveInput.Source(1),
        at: MonotonicClock.now)
      try song.hear(4000 + Int(key), cycles: [4096])
    }
    try song.hear(4000, cycles: [4000])
    song.host.stop()
    var performance = Performance()
    song.host.recording.drain(into: &performance)
    let file = try performance.file(along: song.timeline.beatMap)
    let events = try file.timeline(sampleRate: 48_000).events
    var written: [Int: Float] = [:]
    for event in events {
      guard case .channel(let message) = event.message, message.startsNote else { continue }
      written[Int(event.frame), default: 0] += Float(message.data1)
    }
    #expect(written == pulses(song.left))
    #expect(written.values.reduce(0, +) == 820)
    // The notes were held to the end and are released there.
    let ends = events.filter { if case .channel(let m) = $0.message { m.endsNote } else { false } }
    #expect(ends.count == 40 && ends.allSatisfy { $0.frame == Int64(song.left.count) })
  }

  @Test func `the files of a recorder agree, and that of keyboards is written while they play`()
    throws
  {
    let folder = try TemporaryFolder()
    let song = try PlayedSong(songOfNotes([], end: 500_000), maximumFrames: 4096, mode: .realtime)
    let recorder = try Recorder(
      to: "\(folder.path)/a.raw", sampleRate: 48_000, midiInterval: 0.02
    ) { _ in }
    let recording = song.host.recording
    recorder.begin(sampleRate: 48_000, recording.music(), in: recording.ring)
    song.host.execute(.toggleRecord)
    try song.start()
    for key in UInt8(1)...20 {
      song.nodes.ports[0][0].input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 90)), from: LiveInput.Source(1),
        at: MonotonicClock.now)
      try song.hear(4000 + Int(key), cycles: [4096])
      if key == 10 { #expect(eventually { (try? notes(folder))?.isEmpty == false }) }
    }
    try song.hear(4000, cycles: [4000])
    song.host.stop()
    recorder.stop()
    let samples = try Data(contentsOf: URL(filePath: "\(folder.path)/a.raw")).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    #expect(left == song.left)
    let written = try notes(folder)
    #expect(written == pulses(left) && written.values.reduce(0, +) == 210)
  }

  /// The keys of the recorded notes by their frames.
  private func notes(_ folder: TemporaryFolder) throws -> [Int: Float] {
    let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/a.mid"))
    let events = try StandardMIDIFile(decoding: Array(bytes)).timeline(sampleRate: 48_000).events
    var notes: [Int: Float] = [:]
    for event in events {
      guard case .channel(let message) = event.message, message.startsNote else { continue }
      notes[Int(event.frame), default: 0] += Float(message.data1)
    }
    return notes
  }
}
