import CJACK
import RenderCore

extension Transport {
  /// Makes the transport of a cycle's first frame from JACK's.
  ///
  /// JACK always gives the state and the song's position in frames. Tempo and meter come from another client, the
  /// timebase master, and may be absent or absurd; values that make no sense are left out.
  ///
  /// - Parameters:
  ///   - position: The position at the beginning of the cycle.
  ///   - isRolling: Whether JACK's transport rolls.
  @_noLocks init(_ position: jack_position_t, isRolling: Bool) {
    self.init(provides: .nothing)
    isPlaying = isRolling
    songFrame = Int64(position.frame)
    provides = Provision(
      rawValue: Provision.state.rawValue | Provision.songFrame.rawValue)
    setBeat(position)
  }

  /// Sets tempo, meter and beat, if the timebase master gives them.
  ///
  /// JACK's beats are those of the meter, and its tempo counts them; `bar_start_tick` counts the ticks from the beginning
  /// of the song to that of the bar.
  @_noLocks private mutating func setBeat(_ position: jack_position_t) {
    let bits = position.valid.rawValue
    guard bits & JackPositionBBT.rawValue != 0, position.frame_rate > 0 else { return }
    let (count, unit) = (Double(position.beats_per_bar), Double(position.beat_type))
    let (ticks, tempo) = (position.ticks_per_beat, position.beats_per_minute)
    guard count >= 1, count <= 65_535, unit >= 1, unit <= 32_768,
      ticks > 0, ticks.isFinite, tempo >= 0, tempo <= 100_000,
      position.bar_start_tick.isFinite, position.beat >= 1
    else { return }
    let beatLength = 4 / unit
    let isExact = bits & JackTickDouble.rawValue != 0
    let tick = isExact ? position.tick_double : Double(position.tick)
    let inBar = Double(position.beat) - 1 + tick / ticks
    let barStart = position.bar_start_tick / ticks * beatLength
    var beat = barStart + inBar * beatLength
    guard beat.magnitude < 1e12 else { return }
    let quarterTempo = tempo * beatLength
    if bits & JackBBTFrameOffset.rawValue != 0, isPlaying {
      // The position is that of an earlier frame.
      beat += Double(position.bbt_offset) * quarterTempo / 60 / Double(position.frame_rate)
    }
    self.beat = beat
    self.tempo = quarterTempo
    self.barStart = barStart
    meter = Meter(UInt16(count), UInt16(unit))
    provides = Provision(
      rawValue: provides.rawValue | Provision.beat.rawValue | Provision.meter.rawValue)
  }
}
