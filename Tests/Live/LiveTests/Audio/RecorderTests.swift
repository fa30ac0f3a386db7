import AudioFile
import ConnectionTestSupport
import Foundation
import Glibc
import LiveMIDI
import LocalSystem
import MIDIFile
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LiveAudio

/// Makes units that are always silent.
private struct SilentSource: RenderUnitSource {
  func makeUnit(_ format: Format) -> any RenderUnit { SilentUnit() }

  private final class SilentUnit: RenderUnit, @unchecked Sendable {
    private let state = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    var renderer: Renderer { Renderer(state: state, renderSilence) }
    deinit { state.deallocate() }
  }
}

@_noLocks private func renderSilence(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  for channel in 0..<2 {
    for frame in 0..<cycle.frames { cycle.output[channel][frame] = 0 }
  }
  return false
}

private final class Messages: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ event: RecorderEvent) {
    let kind =
      switch event {
      case .recording, .recorded: ""
      case .warning: "warning: "
      case .failed: "error: "
      }
    lines.withLock { $0.append("\(kind)\(event)") }
  }
}

/// Adds a cycle whose samples count from a number on.
private func record(_ tap: MixTap, from number: Int, frames: Int, at position: Int64) {
  let output = StereoOutput(frames: frames)
  for i in 0..<frames {
    output.pointers[0][i] = Float(number + i)
    output.pointers[1][i] = -Float(number + i)
  }
  tap.record(UnsafePointer(output.pointers), channels: 2, frames: frames, at: position)
}

/// The header of a file does not count its samples.
private struct Unreadable: Error {}

/// Returns the samples of a WAV file in 32-bit float.
private func samples(_ path: String) throws -> [Float] {
  let data = try Data(contentsOf: URL(filePath: path))
  guard let begin = data.range(of: Data("data".utf8))?.upperBound else { throw Unreadable() }
  let size = data[begin..<begin + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  guard begin + 4 + size <= data.count else { throw Unreadable() }
  return Data(data[(begin + 4)...].prefix(size)).withUnsafeBytes {
    Array($0.bindMemory(to: Float.self))
  }
}

/// A device whose port is played and recorded.
private final class Stage {
  private let recorder: Recorder
  private let takes = TakeRecorder(
    TakeLimits(seconds: 0), recording: .recording, capacity: 1 << 14)
  private let take: SessionTake
  private let ring: MixRing
  private var keys: TakeTap
  private var position: Int64 = 0

  init(_ recorder: Recorder) {
    self.recorder = recorder
    take = SessionTake(takes, session: takes.begin(sampleRate: 48_000), of: nil)
    ring = recorder.begin(sampleRate: 48_000, take)!.ring
    keys = takes.tap(for: "Organ")
    render([])
  }

  /// Renders a cycle with a short note.
  func play(_ key: UInt8) {
    render([
      MIDIEvent(offset: 0, content: .channel(ChannelMessage(.noteOn, channel: 0, key, 100))),
      MIDIEvent(offset: 50, content: .channel(ChannelMessage(.noteOff, channel: 0, key, 64))),
    ])
  }

  /// Renders a second.
  func fill() { for _ in 0..<480 { render([]) } }

  private func render(_ events: [MIDIEvent]) {
    _ = events.withUnsafeBufferPointer { events in
      keys.record(
        MIDICycle(frames: 100, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
        at: position)
    }
    record(ring.tap, from: Int(position), frames: 100, at: position)
    position += 100
  }

  func end() {
    take.close()
    recorder.stop()
  }
}

@Suite(.timeLimit(.minutes(5))) struct RecorderTests {
  private let folder: TemporaryFolder
  private let messages = Messages()

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func recorder(
    _ name: String = "a.wav", capacity: Int = 1 << 16, midiInterval: Double = 10
  ) throws -> Recorder {
    try Recorder(
      to: path(name), sampleRate: 48_000, capacity: capacity, midiInterval: midiInterval
    ) { [messages] in messages.add($0) }
  }

  private var partial: String? {
    try? FileManager.default.contentsOfDirectory(atPath: folder.path)
      .first { $0.hasSuffix(".partial") }
  }

  @Test func `the file has the bits that the device received, and the MIDI file its frames`() throws
  {
    let recorder = try recorder("a.wav", capacity: 1 << 20)
    let takes = TakeRecorder(TakeLimits(seconds: 0), recording: .recording)
    let device = ManualDevice()
    let playback = try LocalPlayback(
      takes: takes, recorder: recorder, open: { () throws(SoundDeviceError) in device },
      report: { _ in })
    let (input, source) = (LiveInput(), PulseSource())
    playback.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    try #require(eventually { device.isRunning && input.playedUnit != nil })
    var heard: [Float] = []
    var now: Int64 = 1_000_000_000
    func cycle() throws {
      let output = try #require(device.cycle(256, now: now))
      heard += zip(output.left, output.right).flatMap { [$0, $1] }
      now += 5_333_333
    }
    for _ in 0..<20 { try cycle() }
    for key in [UInt8(60), 64, 67] {
      input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 100)), from: .init(1), at: now - 3_000_000
      )
      for _ in 0..<10 { try cycle() }
    }
    playback.stop()
    recorder.stop()
    let file = try samples(path("a.wav"))
    #expect(file.count == heard.count && heard.contains(60))
    #expect(zip(file, heard).allSatisfy { $0.bitPattern == $1.bitPattern })
    let song = try StandardMIDIFile(
      decoding: Array(Data(contentsOf: URL(filePath: path("a.mid")))))
    let notes = try song.timeline(sampleRate: 48_000).events.compactMap { event -> Int64? in
      if case .channel(let message) = event.message, message.startsNote { event.frame } else { nil }
    }
    let pulses = [60, 64, 67].compactMap { key in
      heard.firstIndex(of: Float(key)).map { Int64($0 / 2) }
    }
    #expect(notes == pulses && notes.count == 3)
  }

  @Test(arguments: [(pause: Duration.seconds(3600), files: 1), (.milliseconds(1), 2)])
  func `a recording goes on while no keyboard is connected for a moment`(
    pause: Duration, files: Int
  ) throws {
    let recorder = try recorder()
    let devices = Mutex<[ManualDevice]>([])
    let takes = TakeRecorder(TakeLimits(seconds: 0), recording: .recording)
    let playback = try LocalPlayback(
      takes: takes, recorder: recorder, recordingPause: pause,
      open: { () throws(SoundDeviceError) in
        let device = ManualDevice()
        devices.withLock { $0.append(device) }
        return device
      }, report: { _ in })
    let isOver = Atomic<Bool>(false)
    let cycles = TestThread {
      while !isOver.load(ordering: .relaxed) {
        _ = devices.withLock { $0.last }?.cycle(256, now: MonotonicClock.now)
        usleep(1000)
      }
    }
    defer {
      isOver.store(true, ordering: .relaxed)
      cycles.join()
    }
    let input = LiveInput()
    let port = playback.add("Organ", input, SilentSource())
    for count in [1, files] {
      input.sourceNames = ["Keys"]
      try #require(
        eventually {
          devices.withLock { $0.count == count && $0[count - 1].isRunning }
            && input.playedUnit != nil
        })
      input.sourceNames = []
      // Follows the update of the playback.
      let isUpdated = DispatchSemaphore(value: 0)
      playback.setSounds([], of: port) { isUpdated.signal() }
      isUpdated.wait()
      if files == 2 { #expect(eventually { devices.withLock { $0[count - 1].hasStopped } }) }
    }
    playback.stop()
    recorder.stop()
    #expect(folder.names.filter { $0.hasSuffix(".wav") }.count == files)
  }

  @Test func `a recording that begins while the device plays has what is heard until it ends`()
    throws
  {
    let takes = TakeRecorder(TakeLimits(seconds: 60))
    let device = ManualDevice()
    let playback = try LocalPlayback(
      takes: takes, open: { () throws(SoundDeviceError) in device }, report: { _ in })
    let (input, source) = (LiveInput(), PulseSource())
    playback.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    try #require(eventually { device.isRunning && input.playedUnit != nil })
    var heard: [Float] = []
    var now: Int64 = 1_000_000_000
    func cycle() throws {
      let output = try #require(device.cycle(256, now: now))
      heard += zip(output.left, output.right).flatMap { [$0, $1] }
      now += 5_333_333
    }
    func play(_ key: UInt8) throws {
      input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 100)), from: .init(1), at: now - 3_000_000
      )
      for _ in 0..<10 { try cycle() }
    }
    /// The playback waits until a cycle uses the recorder.
    func record(with recorder: Recorder?) throws {
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        playback.record(with: recorder)
        isDone.signal()
      }
      while isDone.wait(timeout: .now()) == .timedOut { try cycle() }
    }
    try play(60)
    let recorder = try recorder("a.wav", capacity: 1 << 20)
    takes.recordingLimits = .recording
    try record(with: recorder)
    let begin = heard.count
    try play(64)
    try play(67)
    #expect(eventually { recorder.progress?.seconds ?? 0 > 0.1 })
    let end = heard.count
    try record(with: nil)
    recorder.stop()
    try play(72)
    playback.stop()
    let file = try samples(path("a.wav"))
    // It begins and ends with a cycle in which the mix has changed.
    let first = try #require(heard.indices.first { heard[$0] == 64 })
    let offset = try #require(file.indices.first { file[$0] == 64 })
    #expect(first - offset <= begin && first - offset + file.count >= end)
    #expect(Array(heard[(first - offset)..<(first - offset + file.count)]) == file)
    #expect(!file.contains(72))
    let song = try StandardMIDIFile(
      decoding: Array(Data(contentsOf: URL(filePath: path("a.mid")))))
    let keys = try song.timeline(sampleRate: 48_000).events.compactMap { event -> UInt8? in
      if case .channel(let message) = event.message, message.startsNote {
        message.data1
      } else {
        nil
      }
    }
    #expect(keys == [64, 67])
  }

  @Test func `missed and lost frames are silence, and are counted`() throws {
    let recorder = try recorder(capacity: 1 << 10)
    let tap = try #require(recorder.begin(sampleRate: 48_000, nil)).ring.tap
    record(tap, from: 1, frames: 10, at: 0)
    // The device has missed 90 frames.
    record(tap, from: 100, frames: 10, at: 100)
    // No ring of 1024 slots has room for this.
    record(tap, from: 1, frames: 2000, at: 110)
    #expect(eventually { messages.all.contains { $0.contains("2000 frames are silent") } })
    record(tap, from: 5000, frames: 10, at: 2110)
    record(tap, from: 1, frames: 1500, at: 2120)
    recorder.stop()
    let file = try samples(path("a.wav"))
    #expect(file.count == 2 * 3620)
    for (frame, expected) in [
      (0, 1), (9, 10), (10, 0), (99, 0), (100, 100), (110, 0), (2109, 0),
      (2110, 5000), (2119, 5009), (2120, 0), (3619, 0),
    ] {
      #expect(file[2 * frame] == Float(expected) && file[2 * frame + 1] == -Float(expected))
    }
    #expect(messages.all.contains { $0.contains("3500 frames are silent") })
    #expect(!FileManager.default.fileExists(atPath: path("a.mid")))
  }

  @Test func `a device that is opened again begins another file, and replaces none`() throws {
    let recorder = try recorder()
    for (index, rate) in [48_000, 44_100, 44_100].enumerated() {
      let ring = try #require(recorder.begin(sampleRate: rate, nil)).ring
      record(ring.tap, from: index, frames: 5, at: 0)
      recorder.end()
      if index == 0 { try Data("mine".utf8).write(to: URL(filePath: path("a-2.mid"))) }
      #expect(eventually { messages.all.filter { $0.contains("recorded ") }.count == index + 1 })
    }
    recorder.stop()
    #expect(try samples(path("a.wav")).first == 0)
    #expect(try samples(path("a-3.wav")).first == 1)
    #expect(try samples(path("a-4.wav")).first == 2)
    #expect(messages.all.contains { $0.contains("a-3.wav, 44100 Hz") })
    #expect(!FileManager.default.fileExists(atPath: path("a-2.wav")))
  }

  @Test func `while it is recorded, a copy of the file can be read`() throws {
    let recorder = try recorder()
    let tap = try #require(recorder.begin(sampleRate: 48_000, nil)).ring.tap
    for cycle in 0..<20 { record(tap, from: 1000 * cycle, frames: 1000, at: Int64(1000 * cycle)) }
    #expect(
      eventually {
        guard let name = partial, let found = try? samples(path(name)) else { return false }
        return found.count >= 2 * 16_000 && found[2 * 15_999] == 15_999
      })
    recorder.stop()
    #expect(partial == nil)
    #expect(try samples(path("a.wav")).count == 2 * 20_000)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
  func `a full disk is logged once and ends the recording, and what was written can be read`()
    throws
  {
    try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=256k") == 0)
    defer { umount(folder.path) }
    let recorder = try recorder()
    let tap = try #require(recorder.begin(sampleRate: 48_000, nil)).ring.tap
    // 320 kB, then more, which the tap still takes.
    for cycle in 0..<40 { record(tap, from: 1000 * cycle, frames: 1000, at: Int64(1000 * cycle)) }
    #expect(eventually { messages.all.contains { $0.contains("the sound continues") } })
    for cycle in 40..<80 { record(tap, from: 1000 * cycle, frames: 1000, at: Int64(1000 * cycle)) }
    recorder.stop()
    let errors = messages.all.filter { $0.hasPrefix("error") }
    #expect(errors.count == 1 && errors[0].contains("No space left on device"))
    let kept = try #require(partial)
    #expect(messages.all.contains { $0.contains(kept) })
    let found = try samples(path(kept))
    #expect(found.count > 2 * 4096 * 6)
    for frame in 0..<found.count / 2 {
      guard found[2 * frame] == Float(frame), found[2 * frame + 1] == -Float(frame) else {
        Issue.record("frame \(frame) differs")
        break
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path("a.wav")))
  }

  @Test func `while keyboards play, the MIDI file has what they have played so far`() throws {
    let recorder = try recorder(midiInterval: 0.02)
    let stage = Stage(recorder)
    stage.play(60)
    #expect(eventually { keys("a.mid") == [60] })
    stage.play(62)
    stage.play(64)
    #expect(eventually { keys("a.mid") == [60, 62, 64] })
    stage.play(65)
    stage.end()
    #expect(keys("a.mid") == [60, 62, 64, 65])
    #expect(messages.all.last == "recorded \(path("a.mid")): 4 notes")
  }

  @Test func `a MIDI file that another program has replaced meanwhile is kept`() throws {
    let recorder = try recorder(midiInterval: 0.02)
    let stage = Stage(recorder)
    stage.play(60)
    #expect(eventually { keys("a.mid") == [60] })
    try Data("mine".utf8).write(to: URL(filePath: path("a.mid")), options: .atomic)
    stage.play(62)
    #expect(eventually { messages.all.contains { $0.contains("it is tried again") } })
    stage.end()
    #expect(try Data(contentsOf: URL(filePath: path("a.mid"))) == Data("mine".utf8))
    #expect(messages.all.filter { $0.contains("a.mid', which has 1 note: ") }.count == 2)
    #expect(folder.names == ["a.mid", "a.wav"])
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
  func `what keyboards play while the disk is full is in the MIDI file`() throws {
    try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=448k") == 0)
    defer { umount(folder.path) }
    let recorder = try recorder(midiInterval: 0.02)
    let stage = Stage(recorder)
    stage.play(60)
    #expect(eventually { keys("a.mid") == [60] })
    stage.fill()
    #expect(eventually { messages.all.contains { $0.contains("the sound continues") } })
    // Another program takes what is left.
    var fillers = 0
    while FileManager.default.createFile(
      atPath: path("filler-\(fillers)"), contents: Data(count: 4096))
    { fillers += 1 }
    // More than would fit into the blocks that the file has.
    for key in 0..<2000 { stage.play(UInt8(key % 128)) }
    #expect(eventually { keys("a.mid").count == 2001 })
    stage.play(1)
    stage.end()
    #expect(keys("a.mid").count == 2002)
    #expect(messages.all.contains("recorded \(path("a.mid")): 2002 notes"))
  }

  /// The keys of the notes of a MIDI file; none if there is no file.
  private func keys(_ name: String) -> [UInt8] {
    guard let data = try? Data(contentsOf: URL(filePath: path(name))),
      let timeline = try? StandardMIDIFile(decoding: Array(data)).timeline(sampleRate: 48_000)
    else { return [] }
    return timeline.events.compactMap { event in
      guard case .channel(let message) = event.message, message.startsNote else { return nil }
      return message.data1
    }
  }

  @Test func `samples that are no finite numbers are 0 in the file, and reported once`() throws {
    let recorder = try recorder()
    let tap = try #require(recorder.begin(sampleRate: 48_000, nil)).ring.tap
    record(tap, from: 1, frames: 96_000 / 100, at: 0)
    let output = StereoOutput(frames: 3)
    for i in 0..<3 { (output.pointers[0][i], output.pointers[1][i]) = (7, 8) }
    output.pointers[0][1] = .nan
    output.pointers[1][2] = -.infinity
    for position in [960, 963] {
      tap.record(UnsafePointer(output.pointers), channels: 2, frames: 3, at: Int64(position))
    }
    record(tap, from: 967, frames: 10, at: 966)
    recorder.stop()
    let file = try samples(path("a.wav"))
    #expect(Array(file[(2 * 960)...].prefix(12)) == [7, 8, 0, 8, 7, 0, 7, 8, 0, 8, 7, 0])
    #expect(file.count == 2 * 976 && file[2 * 975] == 976)
    #expect(messages.all.filter { $0.contains("no finite numbers") }.count == 1)
    #expect(!messages.all.contains { $0.hasPrefix("error") })
  }

  @Test(arguments: [1, 2, 4, 34])
  func `a mix of any number of channels is recorded as the sums of both sides`(channels: Int) {
    let ring = MixRing(capacity: 1 << 10)
    let samples = (0..<channels).map { channel in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: 2)
      pointer.initialize(to: Float(channel + 1))
      (pointer + 1).initialize(to: Float(-channel))
      return pointer
    }
    defer { for pointer in samples { pointer.deallocate() } }
    samples.withUnsafeBufferPointer {
      ring.tap.record($0.baseAddress!, channels: channels, frames: 2, at: 0)
    }
    var recorded: [Float] = []
    ring.removeFirst(&recorded)
    func sum(_ side: Int, _ value: (Int) -> Int) -> Float {
      if channels == 1 { return Float(value(0)) }
      return Float(stride(from: side, to: channels, by: 2).map(value).reduce(0, +))
    }
    #expect(
      recorded == [sum(0) { $0 + 1 }, sum(1) { $0 + 1 }, sum(0) { -$0 }, sum(1) { -$0 }])
  }

  @Test func `streams in one ring have files of their own, whenever their ends are known`() throws {
    let recorder = try recorder()
    let ring = MixRing(capacity: 1 << 16)
    let first = try #require(recorder.begin(sampleRate: 48_000, nil, in: ring)).recording
    record(ring.tap, from: 1, frames: 10, at: 0)
    record(ring.tap, from: 11, frames: 10, at: 10)
    record(ring.tap, from: 101, frames: 10, at: 0)
    #expect(eventually { first.isOver })
    let second = try #require(recorder.begin(sampleRate: 48_000, nil, in: ring)).recording
    record(ring.tap, from: 111, frames: 5, at: 10)
    second.end()
    record(ring.tap, from: 1, frames: 1, at: 0)
    recorder.stop()
    #expect(try samples(path("a.wav")).filter { $0 > 0 } == (1...20).map(Float.init))
    #expect(try samples(path("a-2.wav")).filter { $0 > 0 } == (101...115).map(Float.init))
    #expect(folder.names == ["a-2.wav", "a.wav"])
  }

  @Test(arguments: [(48_000 * 60, 48_000 * 60), (48_000 * 60 + 1, 0)])
  func `a recording that begins soon after its stream has silence before`(
    position: Int, silence: Int
  ) throws {
    let recorder = try recorder()
    let tap = try #require(recorder.begin(sampleRate: 48_000, nil)).ring.tap
    record(tap, from: 7, frames: 1, at: Int64(position))
    recorder.stop()
    #expect(try samples(path("a.wav")).count == 2 * (silence + 1))
  }

  @Test func `the recording of a port has its name, and its files are numbered`() throws {
    let recorder = try Recorder(to: path("a.b.wav"), isNameFixed: false, sampleRate: 48_000) {
      [messages] in messages.add($0)
    }
    for count in 1...2 {
      let port = try recorder.recorder(of: "Organ/8", isNameFixed: true)
      record(port.begin(sampleRate: 48_000, nil)!.ring.tap, from: 1, frames: 1, at: 0)
      port.end()
      #expect(eventually { messages.all.filter { $0.hasPrefix("recorded") }.count == count })
    }
    recorder.stop()
    #expect(folder.names == ["a.b-Organ-8-2.wav", "a.b-Organ-8.wav"])
  }

  @Test func `a recorder that need not have its name takes the first that is free`() throws {
    for name in ["a.wav", "a-2.mid", ".x"] {
      try Data("mine".utf8).write(to: URL(filePath: path(name)))
    }
    for name in ["a.wav", ".x.wav"] {
      let recorder = try Recorder(to: path(name), isNameFixed: false, sampleRate: 48_000) {
        [messages] in messages.add($0)
      }
      record(recorder.begin(sampleRate: 48_000, nil)!.ring.tap, from: 1, frames: 1, at: 0)
      recorder.stop()
    }
    #expect(folder.names == [".x", ".x.wav", "a-2.mid", "a-3.wav", "a.wav"])
  }

  @Test(arguments: [
    ("a/song.mid", "song"), ("song", "song"), (".mid", ".mid"), ("a/b.c.mid", "b.c"),
  ])
  func `a recording can be named after a song`(path: String, stem: String) {
    #expect(Recorder.stem(of: path) == stem)
  }

  @Test(arguments: [
    ("take.wav", "take.mid"), ("a.b/take", "a.b/take.mid"), ("a/take.1.flac", "a/take.1.mid"),
  ])
  func `the MIDI file has the name of the audio file`(sound: String, midi: String) {
    #expect(Recorder.midiPath(sound) == midi)
  }

  @Test func `files that exist or cannot be written are refused at the start`() throws {
    try Data("mine".utf8).write(to: URL(filePath: path("b.mid")))
    #expect(throws: Failure.self) { try recorder("b.wav") }
    #expect(throws: AudioFileError.self) { try recorder("missing/a.wav") }
    let error = #expect(throws: AudioFormatError.self) { try recorder("a.xyz") }
    #expect(error?.description.hasSuffix("raw): use one") == true)
    #expect(throws: AudioFileError.self) { try recorder("") }
    #expect(partial == nil)
  }
}
