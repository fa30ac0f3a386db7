import LiveAudio
import Synchronization

/// The peaks of ports for several readers, each of which gets the peaks since it last asked, although reading resets
/// them.
///
/// Threads: any.
final class SharedPeaks: Sendable {
  private let state = Mutex(State())

  private struct State {
    var readers: [Int: [ObjectIdentifier: StereoPeaks]] = [:]
    var count = 0
  }

  /// Returns the number of a new reader.
  func addReader() -> Int {
    state.withLock { state in
      state.count += 1
      state.readers[state.count] = [:]
      return state.count
    }
  }

  func removeReader(_ reader: Int) { state.withLock { _ = $0.readers.removeValue(forKey: reader) } }

  /// Returns the peaks of a port since the reader's last call.
  ///
  /// - Parameter peaks: Those since the last call of any reader.
  func take(_ port: ObjectIdentifier, by reader: Int, _ peaks: StereoPeaks) -> StereoPeaks {
    state.withLock { state in
      for other in state.readers.keys where other != reader {
        let kept = state.readers[other]?[port] ?? StereoPeaks()
        state.readers[other]?[port] = kept.maximum(peaks)
      }
      let kept = state.readers[reader]?.removeValue(forKey: port)
      return kept.map { $0.maximum(peaks) } ?? peaks
    }
  }
}
