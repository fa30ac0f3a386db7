import Glibc
import LocalSystem
import Synchronization

/// What a plugin writes for people: standard output and standard error of its process, and LV2's log.
///
/// The first lines are shown with the plugin's name, and none twice, because some plugins write in each cycle. When the plugin has
/// ended, one sentence gives the number of lines that were left out until then. All processes and instances of a plugin that this
/// process plays have one log.
///
/// Realtime: no. Threads: any.
package final class PluginLog: Sendable {
  /// The number of lines that are shown.
  package static let limit = 20
  /// The characters of a line that are shown.
  private static let longest = 300

  private struct State {
    var shown: Set<String> = []
    var leftOut = 0
    var isReported = false
  }

  private let plugin: String
  private let show: @Sendable (String) -> Void
  private let state = Mutex(State())

  private static let logs = Mutex<[String: PluginLog]>([:])
  /// Whether another process reads what this one writes, and limits it.
  private static let isForwarded = Atomic(false)

  /// - Parameters:
  ///   - plugin: The name of the plugin.
  ///   - show: Receives each line that is shown, with its end.
  init(_ plugin: String, show: @escaping @Sendable (String) -> Void = writeToStandardError) {
    self.plugin = plugin
    self.show = show
  }

  /// Returns the log of a plugin, on standard error.
  package static func of(_ plugin: String) -> PluginLog {
    logs.withLock { logs in
      if let log = logs[plugin] { return log }
      let log = PluginLog(plugin)
      logs[plugin] = log
      return log
    }
  }

  /// Writes all lines as they are from now on: this is the process of a plugin, whose output the host reads.
  package static func forward() { isForwarded.store(true, ordering: .relaxed) }

  /// Writes a line.
  package func write(_ line: String) {
    if Self.isForwarded.load(ordering: .relaxed) { return show("\(line)\n") }
    let isShown = state.withLock { state in
      let isShown = state.shown.count < Self.limit && state.shown.insert(line).inserted
      if !isShown { state.leftOut += 1 }
      return isShown
    }
    if isShown { show("\(plugin.printable): \(line.prefix(Self.longest).printable)\n") }
  }

  /// Reports, once, how many lines were left out. Called when an instance or a process of the plugin has ended.
  package func end() {
    let leftOut = state.withLock { state in
      if state.leftOut == 0 || state.isReported { return 0 }
      state.isReported = true
      return state.leftOut
    }
    if leftOut == 0 { return }
    let lines = leftOut == 1 ? "line" : "lines"
    show("\(plugin.printable): left out \(leftOut) more \(lines) that the plugin has written\n")
  }
}

extension Substring {
  fileprivate var printable: String { String(self).printable }
}

private func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
