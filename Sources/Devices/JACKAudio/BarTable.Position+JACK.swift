import CJACK
import LiveAudio
import RenderCore

extension BarTable.Position {
  private static var ticksPerBeat: Double { @_noLocks get { 1920 } }

  /// Writes bar, beat, tick, meter and tempo to a position of JACK, whose beats and tempo are those of the meter.
  @_noLocks func write(to position: inout jack_position_t) {
    let ticks = Self.ticksPerBeat
    // A thousandth of a tick, which is less than a frame.
    let beat = Int32(truncatingIfNeeded: Int64(beatsInBar + 0.001 / ticks))
    let tick = max(0, (beatsInBar - Double(beat)) * ticks)
    position.bar = Int32(truncatingIfNeeded: bar)
    position.beat = beat + 1
    position.tick = Int32(truncatingIfNeeded: Int64(tick + 0.001))
    position.tick_double = tick
    position.bar_start_tick = barStart / meter.beatLength * ticks
    position.beats_per_bar = Float(meter.count)
    position.beat_type = Float(meter.unit)
    position.ticks_per_beat = ticks
    position.beats_per_minute = tempo / meter.beatLength
    position.valid = jack_position_bits_t(
      rawValue: JackPositionBBT.rawValue | JackTickDouble.rawValue)
  }
}
