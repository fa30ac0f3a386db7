import LiveAudio
import Synchronization
import Threads

/// What a sound device tells on its threads, until the first thread looks.
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

  /// Times that the device had nothing to play.
  let xruns = Atomic(0)

  var loss: String? { lost.withLock { $0 } }

  func take() -> [String] {
    sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}
