import CJACK
import RenderCore

/// Follows the transport of a JACK server from cycle to cycle.
///
/// Most timebase masters give the position in whole ticks, of which one has 12 frames at 120 beats per minute and 1920
/// ticks per beat. While the song goes on, the position is therefore counted in frames from the first one that was given, as
/// long as the given ones are within a tick of it.
///
/// Realtime: yes.
struct JACKTransport: BitwiseCopyable {
  private let sampleRate: Double
  /// The transport expected at the beginning of the next cycle.
  private var expected = Transport(provides: .nothing)

  init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Returns the transport at the beginning of a cycle.
  ///
  /// - Parameters:
  ///   - position: The position that JACK gives.
  ///   - isRolling: Whether JACK's transport rolls.
  ///   - frames: The length of the cycle.
  @_noLocks mutating func next(
    _ position: jack_position_t, isRolling: Bool, frames: Int
  ) -> Transport {
    var transport = Transport(position, isRolling: isRolling)
    let isExact = position.valid.rawValue & JackTickDouble.rawValue != 0
    let tick = transport.meter.beatLength / position.ticks_per_beat
    if !isExact, continues(transport, within: tick) {
      transport.beat = expected.beat
    }
    expected = transport.after(frames: frames, sampleRate: sampleRate)
    return transport
  }

  @_noLocks private func continues(_ transport: Transport, within tick: Double) -> Bool {
    transport.provides.has(.beat) && expected.provides.has(.beat) && transport.isPlaying
      && expected.isPlaying && transport.songFrame == expected.songFrame
      && (transport.beat - expected.beat).magnitude <= tick * 1.01
  }
}
