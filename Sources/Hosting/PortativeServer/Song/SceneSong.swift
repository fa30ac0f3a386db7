import Configuration
import LocalSystem

/// What becomes of the song and the metronome when a scene is chosen.
struct SceneSong: Equatable, Sendable {
  /// `nil`: what plays goes on.
  var track: SceneTrack?
  /// In quarter notes per minute; `nil`: as before.
  var tempo: Double?
  /// Whether the metronome clicks; `nil`: as before.
  var click: Bool?

  /// Nothing changes.
  init() {}

  init(_ scene: SceneSettings) { (track, tempo, click) = (scene.track, scene.tempo, scene.click) }
}

/// The tempo that a player beats.
struct TapTempo {
  /// The times of the last beats, in nanoseconds.
  private var times: [Int64] = []

  /// A longer time between two beats, in nanoseconds, begins anew: 20 beats per minute.
  private static let longest: Int64 = 3_000_000_000
  /// The number of beats whose mean counts.
  private static let count = 8

  init() {}

  /// Adds a beat.
  ///
  /// - Returns: The tempo in beats per minute, 20…400, from the third beat on.
  mutating func tap(at time: Int64) -> Double? {
    if let last = times.last, time - last > Self.longest { times = [] }
    times = Array((times + [time]).suffix(Self.count))
    guard times.count > 2, let first = times.first, time > first else { return nil }
    return max(20, min(400, 60e9 * Double(times.count - 1) / Double(time - first)))
  }
}
