import CCLAP
import LocalSystem
import PluginBundles
import PluginCore
import Synchronization

/// The CLAP host of an instance.
///
/// What the worker reports reaches the host on its main thread, where ``takeNews()`` says what there is.
///
/// `@unchecked Sendable`: the host allows calls of its log and of `request_…` from any thread; ``close()`` ends them.
final class CLAPDoor: PluginDoor, @unchecked Sendable {
  /// What there is to tell the host.
  struct News: OptionSet {
    let rawValue: UInt32
    static let latency = News(rawValue: 1)
    /// The state that a session contains.
    static let state = News(rawValue: 2)
    static let values = News(rawValue: 4)
  }

  /// `nil` after ``close()``.
  private let host: Mutex<HostPointer?>
  private let news = Atomic<UInt32>(0)
  /// The worker's thread, which may outlive the instance, uses the values through this object, which therefore owns them.
  let values: ParameterValueExchange

  private struct HostPointer: @unchecked Sendable {
    let host: UnsafePointer<clap_host>
    let log: UnsafePointer<clap_host_log>?
  }

  /// - Parameters:
  ///   - host: The host, of which no function is called before ``open()``.
  ///   - values: The values of the parameters, which are destroyed with this object.
  init(_ host: UnsafePointer<clap_host>, _ values: ParameterValueExchange) {
    self.host = Mutex(HostPointer(host: host, log: nil))
    self.values = values
  }

  deinit { values.destroy() }

  /// Finds the host's log.
  func open() {
    host.withLock { pointer in
      guard let host = pointer?.host else { return }
      pointer = HostPointer(host: host, log: host.extension(CLAP_EXT_LOG))
    }
  }

  /// Ends the use of the host.
  func close() { host.withLock { $0 = nil } }

  /// Returns what there is to tell, once. Threads: the main thread.
  func takeNews() -> News { News(rawValue: news.exchange(0, ordering: .acquiringAndReleasing)) }

  private func announce(_ part: News) {
    let old = news.bitwiseOr(part.rawValue, ordering: .acquiringAndReleasing).oldValue
    if old & part.rawValue != 0 { return }
    host.withLock { if let host = $0?.host { host.pointee.request_callback?(host) } }
  }

  func write(_ line: String, isError: Bool) {
    let line = line.printable
    host.withLock { pointer in
      guard let pointer else { return }
      if let log = pointer.log?.pointee.log {
        log(
          pointer.host, clap_log_severity(isError ? CLAP_LOG_ERROR : CLAP_LOG_INFO), line)
      } else {
        writeToStandardError(line)
      }
    }
  }

  func exchange(with worker: PluginWorker) {}

  func report(_ subject: PluginProperty.Subject, _ value: String) {}

  func reportAll() {}

  func latencyChanged() { announce(.latency) }

  func settingsChanged(_ newValues: [(unit: Float, host: Float)?]) {
    var isNew = false
    for (index, value) in newValues.enumerated() {
      guard let value = value?.unit, value != values[index] else { continue }
      values.announce(index, value)
      isNew = true
    }
    announce(isNew ? [.state, .values] : .state)
  }
}

extension UnsafePointer<clap_host> {
  /// Returns an extension of the host; `nil` if it has none.
  func `extension`<Extension>(_ identifier: String) -> UnsafePointer<Extension>? {
    pointee.get_extension?(self, identifier)?.assumingMemoryBound(to: Extension.self)
  }
}
