import LiveMIDI
import LocalSystem
package import RenderCore

/// Passes what a unit of the mix plays from the render thread to a ``TakeRecorder``.
///
/// Recording never waits. If the recorder's FIFO is full, events are lost and counted, and a mark in the FIFO tells the
/// recorder to release what is held.
///
/// Realtime: yes. Threads: the render thread. The recorder must outlive it.
package struct TakeTap: BitwiseCopyable {
  /// `nil`: nothing is recorded.
  private let fifo: EventFIFO.Writer?
  private let lost: SharedWord?
  /// 0: none.
  let unit: UInt32
  /// The number of frames that the unit has rendered.
  private var age: Int64 = 0
  /// The position in the device's stream at which the unit would have begun if it had rendered all cycles since.
  private var origin = Int64.min
  /// Whether events were lost since the last mark.
  private var hasLost = false

  init(_ fifo: EventFIFO.Writer, lost: SharedWord, unit: UInt32) {
    self.fifo = fifo
    self.lost = lost
    self.unit = unit
  }

  private init() {
    fifo = nil
    lost = nil
    unit = 0
  }

  /// A tap that records nothing.
  package static var none: TakeTap { TakeTap() }

  /// Marks that a unit's frames begin at ``origin``. System messages are not recorded, so they serve as marks.
  static var originMark: SystemMessage { @_noLocks get { .start } }
  /// Marks that events were lost.
  static var lossMark: SystemMessage { @_noLocks get { .stop } }

  /// Records the events of a cycle that the unit renders. Must be called for each such cycle. Without events it costs
  /// no system call and no write to shared memory.
  ///
  /// - Parameters:
  ///   - cycle: The events that the unit plays.
  ///   - position: The position of the cycle in the device's stream.
  /// - Returns: Whether ``TakeRecorder/collect()`` should be called soon.
  @_noLocks package mutating func record(_ cycle: MIDICycle, at position: Int64) -> Bool {
    guard let fifo, let lost else { return false }
    let begin = position &- age
    if begin != origin, mark(Self.originMark, at: begin, in: fifo) { origin = begin }
    age &+= Int64(cycle.frames)
    if cycle.events.isEmpty { return false }
    if hasLost, mark(Self.lossMark, at: position, in: fifo) { hasLost = false }
    for event in cycle.events {
      if case .system = event.content { continue }
      let event = EventFIFO.Event(
        time: position &+ Int64(event.offset), number: unit, content: event.content)
      if !hasLost, fifo.write(event, sysEx: cycle.sysEx) { continue }
      hasLost = true
      lost.store(lost.value &+ 1)
    }
    return fifo.isHalfFull
  }

  @_noLocks private func mark(
    _ mark: SystemMessage, at time: Int64, in fifo: EventFIFO.Writer
  ) -> Bool {
    fifo.write(EventFIFO.Event(time: time, number: unit, content: .system(mark)))
  }
}
