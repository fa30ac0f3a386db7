import FluidSynthEngine
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import MIDIFile
import NodeServer
import OfflineRenderer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import TestSupport
import Testing

@testable import PortativeServer

/// A server with one port and a song, whose sound device a test drives.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class SongStage: @unchecked Sendable {
  let user = TestUser()
  let log = TestLog()
  let server: PortativeServer
  let device: ManualDevice
  /// What was heard.
  private(set) var left: [Float] = []
  private(set) var right: [Float] = []
  /// The frames of a cycle: so many that no cycle is late, unless the machine is very busy.
  static let frames = 4096
  /// The path of the recording.
  var recording: String { "\(user.system.root)/live.wav" }

  static let port = #"{ name: "Test: Organ", subtype: "orga", preset: { bank: 0, program: 16 } }"#

  init(_ rest: String = "", isRecorded: Bool = false) throws {
    try user.system.add("run/folder", "")
    user.settings.sound = SoundChoice()
    if isRecorded { user.settings.recording = "\(user.system.root)/live.wav" }
    let device = ManualDevice(Format(maximumFrames: Self.frames), isRealTime: false)
    self.device = device
    server = try PortativeServer(
      user.settings, in: user.system.environment,
      opening: { () throws(SoundDeviceError) in device }, observer: log)
    try server.publish(user.plan("{ ports: [\(Self.port)], \(rest) }", log))
  }

  deinit { server.stop() }

  var song: ServerSong { server.song }
  var input: LiveInput { server.publishedPorts[0].input }

  /// Adds a file to the folder of the configuration.
  func add(_ name: String, _ bytes: [UInt8]) throws {
    let path = "\(user.system.root)/config/portative/\(name)"
    try user.system.add("config/portative/\(name)", "")
    try #require(bytes.withUnsafeBytes { writeFile(path, $0) })
  }

  func load(_ song: StandardMIDIFile, _ settings: SongSettings = SongSettings()) throws {
    try self.song.load(.bytes(song.encoded()), name: "Test", settings)
  }

  /// Renders cycles of the device.
  func play(seconds: Double) throws {
    var left = Int(seconds * 48_000)
    while left > 0 {
      try cycle()
      left -= Self.frames
    }
  }

  /// Renders cycles until a condition is true.
  func play(until condition: () -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
      try #require(ContinuousClock.now < limit)
      try cycle()
    }
  }

  private func cycle() throws {
    let song = song
    try #require(eventually { song.isAhead && self.device.isRunning })
    let now = 1_000_000_000_000 + Int64(left.count) * 1_000_000_000 / 48_000
    guard let heard = device.cycle(Self.frames, now: now) else { return }
    left += heard.left
    right += heard.right
  }

  /// Forgets what was heard.
  func forget() { (left, right) = ([], []) }

  /// The greatest sample of what was heard lately.
  func peak(ofLast seconds: Double = 0.2) -> Float {
    let count = Int(seconds * 48_000)
    return (left.suffix(count) + right.suffix(count)).reduce(0) { max($0, abs($1)) }
  }

  /// What was heard, from the first frame that is not silent.
  var sound: (left: ArraySlice<Float>, right: ArraySlice<Float>) {
    let begin = zip(left, right).enumerated().first { $1.0 != 0 || $1.1 != 0 }?.offset ?? left.count
    return (left[begin...], right[begin...])
  }
}

private func writeFile(_ path: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count
}

/// Renders a song, from the first frame that is not silent.
func rendered(
  _ song: StandardMIDIFile, _ changes: SongChanges = SongChanges()
) throws -> (left: ArraySlice<Float>, right: ArraySlice<Float>) {
  var settings = RenderSettings()
  settings.changes = changes
  let stream = try SongStream(
    song, soundFont: .open(bundledSoundFont), settings: settings, hasLabels: false,
    resources: SharedRenderResources(concurrencyLimit: 1, cacheBytes: 0))
  var (left, right) = ([Float](), [Float]())
  while try stream.next({ channels in
    left += channels[0]
    right += channels[1]
  }) {}
  let begin = zip(left, right).enumerated().first { $1.0 != 0 || $1.1 != 0 }?.offset ?? left.count
  return (left[begin...], right[begin...])
}

/// Whether what was heard begins with what was rendered.
func begins(
  _ heard: (left: ArraySlice<Float>, right: ArraySlice<Float>),
  with rendered: (left: ArraySlice<Float>, right: ArraySlice<Float>)
) -> Bool {
  heard.left.starts(with: rendered.left) && heard.right.starts(with: rendered.right)
}

/// Songs of a server.
enum TestSong {
  /// A short song on two channels, with reverb and chorus.
  static var short: StandardMIDIFile {
    song([(0, 0, 60, 480), (0, 1, 67, 240), (480, 0, 64, 480), (480, 1, 72, 960)])
  }

  /// A long note of an organ, for a minute.
  static var long: StandardMIDIFile { song([(0, 0, 60, 57_600)], program: 16) }

  /// - Parameter notes: Their ticks, 480 for half a second, channels, keys and lengths.
  static func song(
    _ notes: [(tick: Int64, channel: UInt8, key: UInt8, length: Int64)], program: UInt8 = 0
  ) -> StandardMIDIFile {
    var events: [StandardMIDIFile.Event] = []
    for channel in Set(notes.map(\.channel)).sorted() {
      events.append(
        .init(tick: 0, .channel(ChannelMessage(.programChange, channel: channel, program))))
      events.append(
        .init(tick: 0, .channel(ChannelMessage(.controlChange, channel: channel, 93, 60))))
    }
    for note in notes {
      events.append(
        .init(
          tick: note.tick, .channel(ChannelMessage(.noteOn, channel: note.channel, note.key, 100))))
      events.append(
        .init(
          tick: note.tick + note.length,
          .channel(ChannelMessage(.noteOff, channel: note.channel, note.key, 64))))
    }
    events.sort { $0.tick < $1.tick }
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480), tracks: [.init(events)])
  }

  /// A WAV file of 32-bit floats.
  static func wave(_ left: [Float], _ right: [Float], rate: UInt32 = 48_000) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
    func short(_ number: UInt32) -> [UInt8] { Array(bytes(number).prefix(2)) }
    let data = zip(left, right).flatMap { bytes($0.bitPattern) + bytes($1.bitPattern) }
    let format = short(3) + short(2) + bytes(rate) + bytes(rate * 8) + short(8) + short(32)
    let chunks =
      Array("WAVEfmt ".utf8) + bytes(16) + format + Array("data".utf8) + bytes(UInt32(data.count))
      + data
    return Array("RIFF".utf8) + bytes(UInt32(chunks.count)) + chunks
  }
}
