import CJACK
import LiveAudio

/// Leads the transport of a JACK server with a song.
///
/// Realtime: yes. Threads: JACK's.
struct JACKTimebase: BitwiseCopyable {
  private let lead: TransportLead
  /// The number of cycles in which the transport rolls since JACK last asked for a position.
  private var unasked = 0

  /// The greatest value of ``unasked`` of a timebase master, which JACK asks in each such cycle.
  private static var limit: Int { @_noLocks get { 8 } }

  init(_ lead: TransportLead) { self.lead = lead }

  /// Whether JACK's transport may start to roll.
  @_noLocks func isReady(_ position: jack_position_t) -> Bool {
    lead.isReady(at: position.frame)
  }

  /// Writes the bar, the beat and the tempo of the next cycle's frame.
  @_noLocks mutating func setPosition(_ position: inout jack_position_t) {
    unasked = 0
    lead.bars.position(at: Int64(position.frame)).write(to: &position)
  }

  /// Ends a cycle: moves JACK's transport if the song has jumped, and notices another timebase master.
  @_noLocks mutating func endCycle(_ client: OpaquePointer, isRolling: Bool) {
    if let frame = lead.takeLocation() { cjack_locate(client, frame) }
    guard lead.isMaster, isRolling else {
      unasked = 0
      return
    }
    unasked += 1
    if unasked > Self.limit { lead.setTimebase(.successor) }
  }
}

@_noLocks
func jackSyncCallback(
  _ state: jack_transport_state_t, _ position: UnsafeMutablePointer<jack_position_t>?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  guard let context, let position else { return 1 }
  guard let timebase = context.assumingMemoryBound(to: JACKState.self).pointee.timebase else {
    return 1
  }
  return timebase.isReady(position.pointee) ? 1 : 0
}

@_noLocks
func jackTimebaseCallback(
  _ state: jack_transport_state_t, _ frames: UInt32,
  _ position: UnsafeMutablePointer<jack_position_t>?, _ isNew: CInt,
  _ context: UnsafeMutableRawPointer?
) {
  guard let context, let position else { return }
  context.assumingMemoryBound(to: JACKState.self).pointee.timebase?
    .setPosition(&position.pointee)
}
