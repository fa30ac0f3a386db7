import LiveMIDI
import RenderCore
import Synchronization
import Threads

/// Keeps what keyboards have played on a sound device, so that it can be written to a file afterwards.
///
/// The units of the mix write their events to a FIFO, through a ``TakeTap`` for each. ``collect()`` moves them to the
/// history, when the FIFO is half full and when a take is wanted, so that no thread wakes up while nothing is played.
/// The history has ``TakeLimits``, and survives that the device is closed and opened again. Memory for it is allocated
/// as events come.
///
/// Realtime: no, except the taps. Threads: any.
package final class TakeRecorder: Sendable {
  private let fifo: EventFIFO
  private let words = SharedWords(count: 1)
  private let history: Mutex<TakeHistory>
  /// What was played since the device was opened; `nil` to keep none of it. Locked within ``history``.
  private let session: Mutex<TakeHistory?>
  private let sessionLimits: TakeLimits?
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - limits: What is kept.
  ///   - sessionLimits: What is kept beside that of the time since the device was opened; `nil`: nothing.
  ///   - capacity: The slots of the FIFO, a power of two.
  ///   - now: Returns the time in nanoseconds, as ``MonotonicClock`` does.
  package init(
    _ limits: TakeLimits = TakeLimits(), sessionLimits: TakeLimits? = nil, capacity: Int = 8192,
    now: @escaping @Sendable () -> Int64 = { MonotonicClock.now }
  ) {
    fifo = EventFIFO(capacity: capacity)
    history = Mutex(TakeHistory(limits))
    session = Mutex(nil)
    self.sessionLimits = sessionLimits
    self.now = now
  }

  /// No tap may be in use any more.
  deinit { words.destroy() }

  /// What is kept.
  package var limits: TakeLimits {
    get { history.withLock { $0.limits } }
    set { withHistory { history, _ in history.limits = newValue } }
  }

  /// The number of events that were lost because the FIFO was full.
  package var lost: Int { Int(words[0].value) }

  /// Begins to record a device whose stream begins now. The previous device must have stopped.
  package func begin(sampleRate: Int) {
    withHistory { history, now in
      history.begin(sampleRate: sampleRate, at: now)
      let empty = sessionLimits.map { history.emptySession($0) }
      session.withLock { $0 = empty }
    }
  }

  /// Ends recording, because the device has stopped.
  package func end() { withHistory { $0.end(at: $1) } }

  /// Returns the tap for a new unit of the device. The taps of a device may be used by one thread only.
  ///
  /// - Parameters:
  ///   - port: The name of the port that the unit plays.
  ///   - sound: The name of the sound, if the unit plays zones of the port.
  package func tap(for port: String, sound: String? = nil) -> TakeTap {
    TakeTap(
      fifo.writer, lost: words[0],
      unit: withHistory { history, _ in
        session.withLock { _ = $0?.addUnit(of: port, sound: sound) }
        return history.addUnit(of: port, sound: sound)
      })
  }

  /// Moves the events from the FIFO to the history.
  package func collect() { withHistory { _, _ in } }

  /// Returns a part of what was played; `nil` if there is no note in it.
  package func take(_ request: TakeRequest) -> Take? {
    withHistory { $0.take(request, at: $1) }
  }

  /// Returns what was played since the device was opened, in frames of its stream; `nil` if no note was played, or if
  /// no sessions are kept. ``Take/isWhole`` is false if events before the limits are missing.
  package func sessionTake() -> Take? {
    withHistory { _, now in
      session.withLock { session in
        session?.take(TakeRequest(followsDevice: true), at: now)
      }
    }
  }

  /// Performs `body` with all events in the history, and the time.
  private func withHistory<Result: Sendable>(
    _ body: (inout TakeHistory, Int64) -> Result
  ) -> Result {
    history.withLock { history in
      let now = now()
      while let (event, sysEx) = fifo.reader.next() {
        history.add(event, sysEx)
        session.withLock { $0?.add(event, sysEx) }
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
    case .system: add(.loss, of: event.number, at: event.time)
    }
  }
}
