/// The maximum number of events of a host in one cycle. Further events are dropped.
package struct EventCapacity: BitwiseCopyable, Sendable {
  let events: Int
  /// The maximum number of bytes of System Exclusive messages.
  let bytes: Int

  package init(events: Int, bytes: Int) {
    self.events = events
    self.bytes = bytes
  }

  /// The capacity without a host.
  package static var none: Self { Self(events: 0, bytes: 0) }
}
