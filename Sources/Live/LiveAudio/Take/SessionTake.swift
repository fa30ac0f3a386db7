import MIDIFile
import Synchronization

/// The music that keyboards have played since a device was opened, for its recording.
///
/// Realtime: no. Threads: any.
package final class SessionTake: PlayedMusic {
  private let recorder: TakeRecorder
  private let session: Int
  private let port: String?
  /// The music until the device was closed; `nil`: it is open.
  private let end = Mutex<TakeRecorder.Snapshot?>(nil)

  /// - Parameters:
  ///   - session: The number that ``TakeRecorder/begin(sampleRate:)`` has returned.
  ///   - port: The port; `nil` for all ports.
  package init(_ recorder: TakeRecorder, session: Int, of port: String?) {
    (self.recorder, self.session, self.port) = (recorder, session, port)
  }

  /// Keeps what was played until now, because the device is closed.
  package func close() {
    let snapshot = recorder.snapshot
    end.withLock { $0 = snapshot }
  }

  package var eventCount: Int { end.withLock { $0 }?.history.eventCount ?? recorder.eventCount }

  package func music(from begin: Int64) -> RecordedMusic? {
    take(from: begin).map { take in
      let events = take.tracks.reduce(0) { $0 + $1.events.count }
      let limit = TakeLimits.recording.events
      return RecordedMusic(
        file: take.file, notes: take.tracks.reduce(0) { $0 + $1.notes },
        limit: events >= limit ? limit : nil, hasLosses: take.hasLosses)
    }
  }

  /// Returns the take so far, in frames from a position of the device on; `nil` if no note was played.
  package func take(from begin: Int64 = 0) -> Take? {
    // Not under the recorder's lock: millions of events take seconds, in which the FIFO could become full.
    let (history, now) = end.withLock { $0 } ?? recorder.snapshot
    return history.take(TakeRequest(port: port, session: session, begin: begin), at: now)
  }
}
