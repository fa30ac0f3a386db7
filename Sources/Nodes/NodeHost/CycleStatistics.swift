/// The statistics of a connection's cycles since it was initialized.
public struct CycleStatistics: Sendable, BitwiseCopyable {
  public internal(set) var cycles = 0
  /// The number of cycles that were silent because the node did not answer in time.
  public internal(set) var lateCycles = 0
  /// The most cycles in a row without an answer of the node to the first of them, which was requested.
  public internal(set) var longestStall = 0
  /// The number of cycles that were not requested, and were silent, because the connection was parked or lost. They are
  /// not in ``cycles``.
  public package(set) var absentCycles = 0
  /// The times from requesting a cycle until its audio was available. Does not include late cycles.
  public internal(set) var roundTrips = RoundTrips()
  /// The number of events that the node has sent.
  public internal(set) var receivedEvents = 0
  /// The number of received events that were sent in a late cycle and moved to the start of the next.
  public internal(set) var lateEvents = 0
  /// The number of malformed events, which were dropped.
  public internal(set) var malformedEvents = 0
  /// The number of events that the node dropped because the FIFO was full, as reported by the node (not trusted).
  public internal(set) var refusedEvents = 0
  /// The number of notes that started late because the node was not ready for so many notes at once, as reported by the
  /// node (not trusted). Always 0 offline.
  public internal(set) var lateNotes = 0
  /// The number of infinite and NaN samples in the node's audio, which were replaced by 0.
  public internal(set) var invalidSamples = 0
  /// The number of infinite and NaN samples in the host's input, which the node replaced by 0.
  public internal(set) var invalidInputSamples = 0

  @_noLocks public init() {}

  /// Adds the statistics of other cycles, for instance those before the connection was initialized again.
  public mutating func add(_ other: CycleStatistics) {
    cycles += other.cycles
    lateCycles += other.lateCycles
    longestStall = max(longestStall, other.longestStall)
    absentCycles += other.absentCycles
    roundTrips.add(other.roundTrips)
    receivedEvents += other.receivedEvents
    lateEvents += other.lateEvents
    malformedEvents += other.malformedEvents
    refusedEvents += other.refusedEvents
    lateNotes += other.lateNotes
    invalidSamples += other.invalidSamples
    invalidInputSamples += other.invalidInputSamples
  }
}
