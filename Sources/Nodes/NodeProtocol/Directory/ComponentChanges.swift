import CLinux
import Glibc

/// Reports changes of the components: a manifest is added, removed or edited; a node starts, ends or crashes, or
/// publishes other ports.
///
/// Offers a descriptor instead of a thread, for commands that block as well as for the event loop of a graphical
/// host: add ``descriptor`` to `poll`, and call ``next()`` whenever it is readable.
///
/// Changes within ``debounceInterval`` are reported as one. A change that leaves the components as they were is not
/// reported.
///
/// Realtime: no. Threads: one at a time.
public final class ComponentChanges {
  /// An `epoll` descriptor that is readable when ``next()`` should be called. Owned by this object.
  public let descriptor: CInt
  /// The components as last reported.
  public private(set) var contents: ComponentRegistry.Contents

  /// The time from the first sign of a change until the components are read.
  ///
  /// The delay is also needed because inotify reports that a lock file was closed an instant before its lock is
  /// released.
  public static let debounceInterval: Duration = .milliseconds(50)

  private let registry: ComponentRegistry
  private let watch: FolderWatch
  private let timer: CInt
  private var isTimerRunning = false
  /// Whether a change was seen since the timer was started.
  private var hasPendingChange = false

  init(_ registry: ComponentRegistry) throws(WatchError) {
    let directories = registry.directories
    let watch = try FolderWatch(
      directories.manifests + [directories.runtime], suffixes: [".json", ".lock"])
    let descriptor = epoll_create1(EPOLL_CLOEXEC)
    if descriptor < 0 { throw .noInstance(code: errno) }
    let timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)
    if timer < 0 {
      let code = errno
      close(descriptor)
      throw .noInstance(code: code)
    }
    for source in [watch.descriptor, timer] {
      // A tuple that is at least as long as `epoll_event` on every architecture.
      var event = (events: UInt32(EPOLLIN), data: (UInt32(0), UInt64(0)))
      epoll_ctl(descriptor, EPOLL_CTL_ADD, source, &event)
    }
    self.registry = registry
    self.watch = watch
    self.descriptor = descriptor
    self.timer = timer
    // Read after the watch has started, so that no change in between is missed.
    contents = registry.contents()
  }

  deinit {
    close(timer)
    close(descriptor)
  }

  /// Returns the components if they have changed since the last call. Does not block, except to read files.
  ///
  /// - Returns: The current components; `nil` if they have not changed.
  public func next() -> ComponentRegistry.Contents? {
    var expirations: UInt64 = 0
    let hasExpired = read(timer, &expirations, MemoryLayout<UInt64>.size) > 0
    if hasExpired { isTimerRunning = false }
    // Drained after the timer was read, so that a later change starts the timer again.
    if watch.drain() { hasPendingChange = true }
    // Not restarted while it runs, or continuous changes would never be reported.
    if hasPendingChange, !isTimerRunning { startTimer() }
    guard hasExpired else { return nil }
    let now = registry.contents()
    if now == contents { return nil }
    contents = now
    return now
  }

  /// Waits for a change.
  ///
  /// - Parameter limit: The longest wait; `nil` for no limit.
  /// - Returns: The current components; `nil` when the limit has passed or a signal has arrived.
  public func wait(atMost limit: Duration? = nil) -> ComponentRegistry.Contents? {
    let deadline = limit.map { ContinuousClock.now + $0 }
    while true {
      if let contents = next() { return contents }
      let rest = deadline.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
      if rest == 0 { return nil }
      var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let milliseconds = rest.map { CInt(min($0.rounded(.up), 1e9)) }
      if poll(&source, 1, milliseconds ?? -1) < 0 { return nil }
    }
  }

  private func startTimer() {
    var time = itimerspec()
    time.it_value.tv_nsec = Int(Self.debounceInterval / .nanoseconds(1))
    timerfd_settime(timer, 0, &time, nil)
    isTimerRunning = true
    hasPendingChange = false
  }
}

extension ComponentRegistry {
  /// Starts watching for changes.
  public func changes() throws(WatchError) -> ComponentChanges {
    try ComponentChanges(self)
  }
}
