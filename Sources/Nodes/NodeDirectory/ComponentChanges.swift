import CLinux
import Glibc

/// Tells when the components change: manifests come, go or are edited; nodes start, end or crash,
/// or publish other ports.
///
/// A descriptor and no thread, which suits a command that waits as well as the loop of a graphical
/// host: add ``descriptor`` to its `poll`, and call ``next()`` whenever it is readable.
///
/// What happens within ``settling`` is told as one change; what leaves the components as they were,
/// not at all.
///
/// Realtime: no. Threads: one at a time.
public final class ComponentChanges {
  /// Readable when ``next()`` should be called. An `epoll` descriptor; stays this object's.
  public let descriptor: CInt
  /// What there was when last looked.
  public private(set) var contents: ComponentRegistry.Contents

  /// Time from the first sign of a change to the look at it.
  ///
  /// Not only for the sake of rest: that a lock's file is closed is told an instant before the
  /// lock is gone.
  public static let settling: Duration = .milliseconds(50)

  private let registry: ComponentRegistry
  private let watch: FolderWatch
  private let timer: CInt
  private var isSettling = false
  /// Whether more has happened since the timer was started.
  private var hasMore = false

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
      // As long as an event is on any processor.
      var event = (events: UInt32(EPOLLIN), data: (UInt32(0), UInt64(0)))
      epoll_ctl(descriptor, EPOLL_CTL_ADD, source, &event)
    }
    self.registry = registry
    self.watch = watch
    self.descriptor = descriptor
    self.timer = timer
    // After the watch has begun: what changes meanwhile is told.
    contents = registry.contents()
  }

  deinit {
    close(timer)
    close(descriptor)
  }

  /// Does not block, except to read files.
  ///
  /// - Returns: What there is now, if that has changed.
  public func next() -> ComponentRegistry.Contents? {
    var expirations: UInt64 = 0
    let hasSettled = read(timer, &expirations, MemoryLayout<UInt64>.size) > 0
    if hasSettled { isSettling = false }
    // After the timer was read: what happens from now on is looked at once more.
    if watch.drain() { hasMore = true }
    // Never started anew while it runs, or changes without a pause would never be told.
    if hasMore, !isSettling { startTimer() }
    guard hasSettled else { return nil }
    let now = registry.contents()
    if now == contents { return nil }
    contents = now
    return now
  }

  /// Waits for a change.
  ///
  /// - Parameter limit: The longest to wait; `nil`: for ever.
  /// - Returns: What there is now; `nil` when the time is over, or a signal has come.
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
    time.it_value.tv_nsec = Int(Self.settling / .nanoseconds(1))
    timerfd_settime(timer, 0, &time, nil)
    isSettling = true
    hasMore = false
  }
}

extension ComponentRegistry {
  /// Starts to watch for changes.
  public func changes() throws(WatchError) -> ComponentChanges {
    try ComponentChanges(self)
  }
}
