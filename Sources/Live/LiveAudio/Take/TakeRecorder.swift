import LiveMIDI
import LocalSystem
import RenderCore
import Synchronization

/// Keeps what keyboards have played on a sound device, so that it can be written to a file afterwards.
///
/// The units of the mix write their events to a FIFO, through a ``TakeTap`` for each. ``collect()`` moves them to the
/// history, when the FIFO is half full and when a take is wanted, so that no thread wakes up while nothing is played.
/// The history has ``TakeLimits``, and survives that the device is closed and opened again. Memory for it is allocated
/// as events come.
///
/// Realtime: no, except the taps. Threads: any.
package final class TakeRecorder: Sendable {
  private let fifos = Mutex<[TakeFIFO]>([])
  private let capacity: Int
  private let history: Mutex<TakeHistory>
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - limits: What takes have.
  ///   - recording: What a recording of the open devices has beside that; `nil`: nothing.
  ///   - capacity: The slots of the FIFO, a power of two.
  ///   - now: Returns the time in nanoseconds, as ``MonotonicClock`` does.
  package init(
    _ limits: TakeLimits = TakeLimits(), recording: TakeLimits? = nil, capacity: Int = 8192,
    now: @escaping @Sendable () -> Int64 = { MonotonicClock.now }
  ) {
    self.capacity = capacity
    history = Mutex(TakeHistory(limits, recording: recording))
    self.now = now
  }

  /// Adds a FIFO for a thread that writes to taps.
  package func addFIFO() -> TakeFIFO {
    let fifo = TakeFIFO(capacity: capacity)
    fifos.withLock { $0.append(fifo) }
    return fifo
  }

  /// Removes a FIFO whose taps are not in use any more.
  package func remove(_ fifo: TakeFIFO) {
    collect()
    fifos.withLock { $0.removeAll { $0 === fifo } }
  }

  /// The limits of takes.
  package var limits: TakeLimits {
    get { history.withLock { $0.limits } }
    set { withHistory { history, _ in history.limits = newValue } }
  }

  /// What a recording of the open devices has beside the takes; `nil`: nothing is recorded.
  package var recordingLimits: TakeLimits? {
    get { history.withLock { $0.recordingLimits } }
    set { withHistory { history, _ in history.recordingLimits = newValue } }
  }

  /// The number of events that were lost because a FIFO was full.
  package var lost: Int { fifos.withLock { $0.reduce(0) { $0 + $1.lost } } }

  /// Begins to record a device. Positions of devices with the same sample rate that are open at the same time count from
  /// the same time: until ``start(_:)``, from the beginning of the first one.
  ///
  /// - Returns: The number of the session, for ``end(_:)``.
  @discardableResult
  package func begin(sampleRate: Int) -> Int {
    withHistory { $0.begin(sampleRate: sampleRate, at: $1) }
  }

  /// Notes that a device of the session starts. Position 0 of the session is the time of the first start, because what
  /// the device plays may take seconds to load.
  package func start(_ session: Int) {
    withHistory { $0.start(session, at: $1) }
  }

  /// Ends recording, because a device of the session has stopped. The others go on.
  package func end(_ session: Int) {
    withHistory { $0.end(session, at: $1) }
  }

  /// Returns the tap for a new unit of a device.
  ///
  /// - Parameters:
  ///   - fifo: The FIFO of the thread that renders the unit.
  ///   - port: The name of the port that the unit plays.
  ///   - sound: The sound, if the unit plays zones of the port.
  ///   - isTaken: Whether takes have its events, or only recordings of a session.
  package func tap(
    for port: String, sound: ZoneSound? = nil, isTaken: Bool = true, through fifo: TakeFIFO
  ) -> TakeTap {
    TakeTap(
      fifo.events.writer, lost: fifo.lostCount,
      unit: withHistory { history, _ in history.addUnit(of: port, sound: sound, isTaken: isTaken) })
  }

  /// Ends recording a unit, which does not exist any more.
  func end(_ tap: TakeTap) { withHistory { history, _ in history.endUnit(tap.unit) } }

  /// Returns the sound of zones that a unit of a take has played.
  ///
  /// - Returns: `nil` if there is no such unit of the port, or if none of its events are kept.
  package func sound(ofUnit unit: UInt32, of port: String) -> ZoneSound? {
    withHistory { history, _ in
      history.units[unit].flatMap { $0.port == port ? $0.sound : nil }
    }
  }

  /// Moves the events from the FIFO to the history.
  package func collect() { withHistory { _, _ in } }

  /// Returns a part of what was played; `nil` if there is no note in it.
  package func take(_ request: TakeRequest) -> Take? {
    withHistory { $0.take(request, at: $1) }
  }

  /// A history and the time until which it reaches.
  typealias Snapshot = (history: TakeHistory, now: Int64)

  /// All that is kept now.
  var snapshot: Snapshot { withHistory { ($0, $1) } }

  /// The number of events so far, of all devices.
  var eventCount: Int { withHistory { history, _ in history.eventCount } }

  /// Performs `body` with all events in the history, and the time.
  private func withHistory<Result: Sendable>(
    _ body: (inout TakeHistory, Int64) -> Result
  ) -> Result {
    history.withLock { history in
      let now = now()
      for fifo in fifos.withLock({ $0 }) {
        while let (event, sysEx) = fifo.events.reader.next() { history.add(event, sysEx) }
      }
      history.expire(at: now)
      return body(&history, now)
    }
  }
}

extension TakeHistory {
  /// Adds an event that a ``TakeTap`` has written.
  fileprivate mutating func add(_ event: EventFIFO.Event, _ sysEx: [UInt8]) {
    switch event.content {
    case .channel(let message): add(.channel(message), of: event.number, at: event.time)
    case .sysEx: add(.sysEx(sysEx), of: event.number, at: event.time)
    case .system(let mark) where mark == TakeTap.originMark: setOrigin(event.time, of: event.number)
    case .system: add(nil, of: event.number, at: event.time)
    }
  }
}
