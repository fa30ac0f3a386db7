import LV2Atoms
import LocalSystem
import PluginCore
import RenderCore

/// Finds out how a host states tempo and position where a beat of the meter is no quarter note.
///
/// LV2's time extension says: in beats of the meter. Ardour (7 and 8) counts these, but states the tempo, and the part of a beat, in
/// quarter notes: in 7/8, its `time:barBeat` goes from 2 to 2.5, and then to 3. Other hosts that do so are recognized by how far they
/// get in some beats; what was found counts for all instances of the process.
///
/// Realtime: yes, except for creation.
struct TempoUnit: BitwiseCopyable {
  private static let words = {
    let words = SharedWords(count: 1)
    let names = ["ardour", "luasession", "mixbus"]
    if names.contains(where: { HostProcess.name.hasPrefix($0) }) { words[0].store(1) }
    return words
  }()

  /// Not 0 if the host states quarter notes.
  private let usesQuarters: SharedWord
  private let sampleRate: Double
  /// A transport of the host since which it has played without a jump, as far as is known.
  private var first = Transport(provides: .nothing)
  /// The last transport that was returned.
  private var last = Transport(provides: .nothing)

  /// - Parameter usesQuarters: Where the finding is; `nil` for that of the process.
  init(sampleRate: Double, usesQuarters: SharedWord? = nil) {
    self.sampleRate = sampleRate
    self.usesQuarters = usesQuarters ?? Self.words[0]
  }

  /// Returns a transport with beat and tempo in quarter notes.
  ///
  /// - Parameter given: The host's transport, whose tempo and beat were taken for those in beats of the meter.
  @_noLocks mutating func resolve(_ given: Transport) -> Transport {
    let length = given.meter.beatLength
    guard length != 1, given.provides.has(.beat) else {
      first.provides = .nothing
      return given
    }
    learn(given)
    if usesQuarters.value == 0 { return given }
    let beats = given.beat / length
    guard beats.magnitude < 1e15 else { return given }
    let whole = beats.wholePart
    var resolved = given
    resolved.tempo = given.tempo / length
    resolved.beat = (whole + min(1, (beats - whole) / length)) * length
    // In 3/2, the first beat goes from 0 to 2, and the next one from 1 to 3.
    if length > 1 { resolved.beat = nearest(to: expected(resolved), whole, beats - whole, length) }
    last = resolved
    return resolved
  }

  /// The place in quarter notes to which the song has gone on, or that it has at this tempo if it has jumped.
  @_noLocks private func expected(_ given: Transport) -> Double {
    let frames = given.songFrame - last.songFrame
    let goesOn =
      last.provides.has(.beat) && last.isPlaying && frames >= 0 && frames < Int64(sampleRate)
    return (goesOn ? last.beat : 0)
      + Double(goesOn ? frames : given.songFrame) * given.tempo / 60 / sampleRate
  }

  /// Returns the place, in quarter notes, that is nearest to an expected one, of those at which a part of a beat in quarter notes may
  /// be added to whole beats.
  @_noLocks private func nearest(
    to expected: Double, _ whole: Double, _ part: Double, _ length: Double
  ) -> Double {
    var (found, earlier) = (whole * length + part, 1.0)
    while earlier < length {
      let place = (whole - earlier) * length + part + earlier
      if (place - expected).magnitude < (found - expected).magnitude { found = place }
      earlier += 1
    }
    return found
  }

  /// Compares how far the host has got in some beats with what either tempo would be.
  @_noLocks private mutating func learn(_ given: Transport) {
    let frames = given.songFrame - first.songFrame
    guard first.provides.has(.beat), first.provides.has(.songFrame), given.provides.has(.songFrame),
      first.isPlaying, given.isPlaying, first.meter.unit == given.meter.unit, frames > 0,
      given.tempo == first.tempo, given.tempo > 0
    else {
      first = given
      return
    }
    let beats = (given.beat - first.beat) / given.meter.beatLength
    if beats < 4 { return }
    let moved = (given.beat - first.beat) * 60 * sampleRate / Double(frames) / given.tempo
    // A jump is neither.
    if (moved * given.meter.beatLength - 1).magnitude < 0.2 {
      usesQuarters.store(1)
    } else if (moved - 1).magnitude < 0.2 {
      usesQuarters.store(0)
    }
    first = given
  }
}
