import Components
import Glibc
import MIDICore
import NodeHost
import OfflineRenderer
import RenderCore

/// Plays a song through a connection: schedules each event on its frame, and has the audio back.
///
/// Realtime: no. It could be, cycle for cycle; but it feeds files and waits for clocks.
final class NodePlayer: SongPlayer {
  private let connection: Connection
  private let lengths: CycleLengths
  private var pace: Pace?
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let maximumFrames: Int
  private(set) var notes = 0

  /// - Parameters:
  ///   - connection: Initialized, for two channels.
  ///   - pace: Waits before each cycle until its time has come; `nil`: as fast as it goes.
  init(_ connection: Connection, _ format: Format, lengths: CycleLengths, pace: Pace?) {
    self.connection = connection
    self.lengths = lengths
    self.pace = pace
    maximumFrames = format.maximumFrames
    output = .allocate(capacity: 2)
    for channel in 0..<2 { output[channel] = .allocate(capacity: maximumFrames) }
  }

  deinit {
    for channel in 0..<2 { output[channel].deallocate() }
    output.deallocate()
  }

  func render(_ cycle: Cycle, notes: Int, _ take: Taker) throws(RenderError) {
    self.notes += notes
    var done = 0
    for event in cycle.events {
      // The connection holds a good many events ahead. When it is full, time has to go on first.
      while try !schedule(event, of: cycle, at: Int(event.offset) - done) {
        guard Int(event.offset) > done else { throw .player(tooManyAtOnce) }
        done += try renderNext(atMost: Int(event.offset) - done, take)
      }
    }
    while done < cycle.frames { done += try renderNext(atMost: cycle.frames - done, take) }
  }

  private func schedule(
    _ event: MIDIEvent, of cycle: Cycle, at offset: Int
  ) throws(RenderError) -> Bool {
    let status =
      switch event.content {
      case .channel(let message):
        connection.schedule(message, at: offset)
      case .sysEx(let start, let count):
        schedule(sysEx: cycle.sysEx[Int(start)..<Int(start + count)], at: offset)
      }
    switch status {
    case .accepted: return true
    case .full: return false
    // A message that no FIFO can hold, or that FluidSynth would not take either, is left out.
    case .tooLong, .malformed: return true
    case .notRunning: throw lost
    }
  }

  private func schedule(sysEx: Slice<UnsafeBufferPointer<UInt8>>, at offset: Int) -> ScheduleStatus
  {
    ([0xF0] + sysEx + [0xF7]).withUnsafeBufferPointer {
      connection.schedule(bytes: $0, at: offset)
    }
  }

  private func renderNext(atMost limit: Int, _ take: Taker) throws(RenderError) -> Int {
    let frames = min(limit, lengths.next())
    pace?.wait(forNext: frames)
    switch connection.render(frames: frames, into: UnsafePointer(output)) {
    case .rendered, .late:
      take(
        UnsafeBufferPointer(start: output[0], count: frames),
        UnsafeBufferPointer(start: output[1], count: frames))
      return frames
    case .parked, .notInitialized, .connectionLost, .badFrameCount:
      throw lost
    }
  }

  private var lost: RenderError {
    .player("\(connection.port.name) plays no more: \(connection.status)")
  }

  private var tooManyAtOnce: String {
    "more events on one frame than a connection can hold: render the song with portative render"
  }
}

/// How long each cycle is.
final class CycleLengths {
  enum Wish: Equatable {
    case frames(Int)
    /// Another length each time, up to the longest; the same ones in every run.
    case random
  }
  private let wish: Wish
  private var generator: UInt64 = 1

  static let longest = 8192

  init(_ wish: Wish) { self.wish = wish }

  var maximum: Int { if case .frames(let frames) = wish { frames } else { Self.longest } }

  func next() -> Int {
    switch wish {
    case .frames(let frames): return frames
    case .random:
      // Source: Knuth, TAOCP 3.3.4, table 1, line 26.
      generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int(generator >> 33) % Self.longest
    }
  }
}

/// The time of a stream that nobody plays: each cycle begins when the ones before are over.
struct Pace {
  private let sampleRate: Int
  private var begin: ContinuousClock.Instant?
  private var frames = 0

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  mutating func wait(forNext count: Int) {
    let begin = begin ?? .now
    self.begin = begin
    var left = begin + .seconds(Double(frames) / Double(sampleRate)) - .now
    frames += count
    while left > .zero, Interruption.signal == nil {
      let nanoseconds = Int(left / .nanoseconds(1))
      var time = timespec(
        tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      if nanosleep(&time, nil) == 0 { return }
      left = begin + .seconds(Double(frames - count) / Double(sampleRate)) - .now
    }
  }
}
