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
  ///   - usesQuarters: Whether tempo and ticks are in quarter notes, as Ardour's are.
  @_noLocks init(_ position: jack_position_t, isRolling: Bool, usesQuarters: Bool) {
    self.init(provides: .nothing)
    isPlaying = isRolling
    songFrame = Int64(position.frame)
    provides = Provision(
      rawValue: Provision.state.rawValue | Provision.songFrame.rawValue)
    setBeat(position, usesQuarters)
  }

  /// Sets tempo, meter and beat, if the timebase master gives them.
  ///
  /// JACK's beats are those of the meter, and its tempo counts them, as in JACK's example. `bar_start_tick` counts the ticks from the
  /// beginning of the song to that of the bar; where it cannot be true, all bars are taken for as long as this one.
  @_noLocks private mutating func setBeat(_ position: jack_position_t, _ usesQuarters: Bool) {
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
    let unitLength = usesQuarters ? 1 : beatLength
    let inBar = (Double(position.beat) - 1) * beatLength + tick / ticks * unitLength
    let stated = position.bar_start_tick / ticks
    guard stated.magnitude < 1e12 else { return }
    let barStart = beatLength * (position.hasBarStart ? stated : (Double(position.bar) - 1) * count)
    var beat = barStart + inBar
    guard beat.magnitude < 1e12 else { return }
    let quarterTempo = tempo * unitLength
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

extension jack_position_t {
  /// Whether `bar_start_tick` may be true. qtractor before 1.1 states none, so that it is 0 in all bars.
  fileprivate var hasBarStart: Bool {
    @_noLocks get { !isOfArdour && (bar == 1 || bar_start_tick != 0) }
  }

  /// Whether the timebase master is Ardour (7 to 9), which multiplies `bar_start_tick` by its ticks twice: it is 1920 times as high as
  /// it should be, and grows within the bar. Ardour's tempo and ticks are in quarter notes, in all meters.
  ///
  /// Not known at the beginning of the song.
  var isOfArdour: Bool {
    // No bar has a thousand beats.
    @_noLocks get { bar_start_tick.magnitude > 1000 * ticks_per_beat * (Double(bar) - 1).magnitude }
  }

  /// Whether the place is the beginning of the song, which all masters state in the same way.
  var isBeginning: Bool { @_noLocks get { bar == 1 && bar_start_tick == 0 } }
}
