import Dispatch

/// Work whose result answers several pages.
///
/// Requests that come while it runs wait for the next run, of which there is one, however many they are. Work that no
/// page waits for any more is not begun.
///
/// `@unchecked Sendable`: used only on the thread of the web server, except for `work`.
final class SharedWork<Value: Sendable>: @unchecked Sendable {
  /// Returns what takes the result; `nil` if the page is gone.
  typealias Receiver = () -> ((Value) -> Void)?

  private let queue: DispatchQueue
  private let web: WebServer
  private let work: @Sendable () -> Value
  private var waiting: [Receiver] = []
  private var isRunning = false

  /// - Parameters:
  ///   - name: That of a queue of its own, so that other work does not wait for this.
  ///   - work: May take seconds. Threads: any, one at a time.
  init(named name: String, on web: WebServer, _ work: @escaping @Sendable () -> Value) {
    queue = DispatchQueue(label: name, qos: .utility)
    (self.web, self.work) = (web, work)
  }

  /// Requests the result of a run that has not begun yet.
  func request(_ receiver: @escaping Receiver) {
    waiting.append(receiver)
    runIfNeeded()
  }

  private func runIfNeeded() {
    if isRunning { return }
    waiting.removeAll { $0() == nil }
    if waiting.isEmpty { return }
    isRunning = true
    let receivers = Receivers(waiting)
    waiting = []
    queue.async { [self] in
      let value = work()
      web.perform { [self] in
        isRunning = false
        for receiver in receivers.all { receiver()?(value) }
        runIfNeeded()
      }
    }
  }

  /// `@unchecked Sendable`: read only on the thread of the web server.
  private struct Receivers: @unchecked Sendable {
    let all: [Receiver]
    init(_ all: [Receiver]) { self.all = all }
  }
}
