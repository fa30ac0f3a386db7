import LiveMIDI
import Synchronization

/// The events that a ``TakeRecorder`` records on one sound device, which is opened and closed.
///
/// Realtime: no, except its taps. Threads: one at a time.
final class TakeStream {
  private let recorder: TakeRecorder
  private let port: String?
  private let fifo: TakeFIFO
  /// The number of the session while the device is open.
  private var session: Int?
  /// What is played during a recording.
  private var recorded: SessionTake?

  /// - Parameter port: The only port that the device plays; `nil` if it plays all.
  init(_ recorder: TakeRecorder, of port: String?) {
    (self.recorder, self.port) = (recorder, port)
    fifo = recorder.addFIFO()
  }

  /// Begins to keep what is played, because the device is opened.
  func begin(sampleRate: Int) { session = recorder.begin(sampleRate: sampleRate) }

  /// Returns what is played from now on until ``endRecording()`` or ``end()``, for a recording; `nil` if the device is closed.
  func beginRecording() -> SessionTake? {
    endRecording()
    recorded = session.map { SessionTake(recorder, session: $0, of: port) }
    return recorded
  }

  func endRecording() { recorded.take()?.close() }

  /// Notes that the device, which is open, starts.
  func start() {
    if let session { recorder.start(session) }
  }

  /// Ends the session, because the device is closed.
  func end() {
    endRecording()
    if let session = session.take() { recorder.end(session) }
  }

  /// Returns the tap for a new unit of the device.
  ///
  /// - Parameter isTaken: Whether takes have its events, or only recordings.
  func tap(for port: String, sound: ZoneSound?, isTaken: Bool = true) -> TakeTap {
    recorder.tap(for: port, sound: sound, isTaken: isTaken, through: fifo)
  }

  /// Ends recording a unit, which does not exist any more.
  func end(_ tap: TakeTap) { recorder.end(tap) }

  /// Forgets the device, which will not be opened again.
  func remove() { recorder.remove(fifo) }
}
