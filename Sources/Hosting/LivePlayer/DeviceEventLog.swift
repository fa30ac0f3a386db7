import LiveAudio
import Synchronization
import Threads

/// Collects the events that a sound device reports on its threads, until the main thread reads them.
final class DeviceEventLog: Sendable {
  private let sentences = Mutex<[String]>([])
  private let lost = Mutex<String?>(nil)

  func hear(_ event: SoundDeviceEvent) {
    switch event {
    case .lost(let reason): lost.withLock { $0 = reason }
    case .xruns(let count):
      let before = xruns.wrappingAdd(count, ordering: .relaxed).oldValue
      if before == 0 { sentences.withLock { $0.append(event.description) } }
    case .notRealtime(let refusal): sentences.withLock { $0.append(refusal.description) }
    case .resumed, .lengthened: sentences.withLock { $0.append(event.description) }
    }
  }

  /// The number of xruns.
  let xruns = Atomic(0)

  var loss: String? { lost.withLock { $0 } }

  func take() -> [String] {
    sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}
