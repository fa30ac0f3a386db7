import LiveMIDI
import Synchronization

/// The events that a ``TakeRecorder`` records on one sound device, which is opened and closed.
///
/// Realtime: no, except its taps. Threads: one at a time.
final class TakeStream {
  private let recorder: TakeRecorder
  private let port: String?
  private let fifo: TakeFIFO
  private var session: (number: Int, take: SessionTake)?

  /// - Parameter port: The only port that the device plays; `nil` if it plays all.
  init(_ recorder: TakeRecorder, of port: String?) {
    (self.recorder, self.port) = (recorder, port)
    fifo = recorder.addFIFO()
  }

  /// Begins to record, because the device is opened.
  ///
  /// - Returns: What is played until ``end()``, for a recording.
  func begin(sampleRate: Int) -> SessionTake {
    let number = recorder.begin(sampleRate: sampleRate)
    let take = SessionTake(recorder, session: number, of: port)
    session = (number, take)
    return take
  }

  /// Notes that the device, which is open, starts.
  func start() {
    if let session { recorder.start(session.number) }
  }

  /// Ends recording, because the device is closed.
  func end() {
    guard let session = session.take() else { return }
    session.take.close()
    recorder.end(session.number)
  }

  /// Returns the tap for a new unit of the device.
  func tap(for port: String, sound: ZoneSound?) -> TakeTap {
    recorder.tap(for: port, sound: sound, through: fifo)
  }

  /// Ends recording a unit, which does not exist any more.
  func end(_ tap: TakeTap) { recorder.end(tap) }

  /// Forgets the device, which will not be opened again.
  func remove() { recorder.remove(fifo) }
}
