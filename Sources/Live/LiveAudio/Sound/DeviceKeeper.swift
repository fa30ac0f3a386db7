import Glibc
import LocalSystem
import Synchronization

/// Keeps a sound device open: opens it, detects its loss, closes it, and opens it again when it returns.
///
/// The owner starts each device that is opened, with ``report`` as its report, and calls ``update(at:progress:)`` when it is
/// woken, and at ``nextUpdate(after:)``. What differs between programs is the ``Policy``.
///
/// Realtime: no. Threads: the owner's, which supplies the time, in nanoseconds of `MonotonicClock`.
///
/// `@unchecked Sendable`: the variables belong to the owner's thread, except the inbox, which is locked.
package final class DeviceKeeper: @unchecked Sendable {
  /// Opens the device. Called on a thread that it may block.
  package typealias Opening = @Sendable () throws(SoundDeviceError) -> any SoundDevice

  /// How a program keeps its device.
  package struct Policy: Sendable {
    /// Whether a device that returns must play silence before it is used, because something else plays meanwhile.
    package var triesSilence = false
    /// The longest absence in nanoseconds; `nil`: no limit.
    package var absenceLimit: Int64?
    /// The nanoseconds without a cycle after which a device is lost that reports no loss; `nil`: no limit. Without a limit,
    /// a client of a JACK server that hangs and goes on keeps its name and its connections.
    package var stallLimit: Int64?

    package init() {}
  }

  /// What happens to the device. The description is a sentence for the user.
  package enum Event: Equatable, Sendable, CustomStringConvertible {
    /// The device plays. The value is its summary.
    case playing(String)
    /// A device plays after one was lost. The value is its summary.
    case returned(String)
    case lost(reason: String)
    /// The device cannot be opened, or does not play. An error is reported once until a device plays.
    case silent(SoundDeviceError)
    /// The device was absent for longer than the limit.
    case absentTooLong(reason: String)
    /// Another event of the device, not its loss.
    case device(SoundDeviceEvent)

    package var description: String {
      switch self {
      case .playing(let summary): "sound: \(summary)"
      case .returned(let summary): "the sound device has returned: \(summary)"
      case .lost(let reason):
        "\(SoundDeviceEvent.lost(reason: reason)); it is used again when it returns"
      case .silent(let error):
        error.description + (error.isTemporary ? "; the sound then starts automatically" : "")
      case .absentTooLong(let reason):
        "\(SoundDeviceEvent.lost(reason: reason)); choose another one with --audio, or raise --timeout"
      case .device(let event): event.description
      }
    }
  }

  /// What the owner has to follow.
  package enum Change {
    /// The device is open. The owner must start it.
    case opened(any SoundDevice)
    /// The device was lost or did not play, and has been stopped.
    case closed
    case event(Event)
  }

  private struct Inbox {
    /// The number of the present device. Events of others are dropped.
    var device = 0
    var events: [SoundDeviceEvent] = []
    var loss: String?
    var xruns = 0
  }

  private let policy: Policy
  private let open: Opening
  /// Called on any thread when ``update(at:progress:)`` has something to do. Set it before a device is opened.
  package var wake: @Sendable () -> Void = {}
  private let inbox = Mutex(Inbox())
  private var recovery = Recovery<any SoundDevice>(discard: { $0.stop() })
  private var device: (any SoundDevice)?
  private var watch = StallWatch()
  /// Whether the device has requested a cycle.
  private var hasPlayed = false
  /// Whether the next device that plays returns after a loss.
  private var isReturning = false
  /// The reason of the last loss.
  private var reason = ""
  /// The errors that were reported since a device last played.
  private var reportedErrors: [SoundDeviceError] = []
  private var changes: [Change] = []

  package init(_ policy: Policy, open: @escaping Opening) {
    (self.policy, self.open) = (policy, open)
  }

  // MARK: Opening and closing

  /// Opens the device on the calling thread. The owner must start it.
  package func openNow() throws(SoundDeviceError) -> any SoundDevice {
    let device = try open()
    replaceDevice(with: device)
    return device
  }

  /// Begins to open the device on another thread, unless it is open, or being opened.
  package func begin(at now: Int64) {
    if device == nil, !recovery.isInProgress { recovery.restart(at: now, open) }
  }

  /// Stops the device, ends attempts to open it, and forgets losses.
  package func close() {
    recovery.cancel()
    replaceDevice(with: nil)
    changes = []
    isReturning = false
  }

  private func replaceDevice(with device: (any SoundDevice)?) {
    self.device?.stop()
    self.device = device
    watch = StallWatch()
    hasPlayed = false
    inbox.withLock { inbox in
      inbox.device += 1
      (inbox.events, inbox.loss) = ([], nil)
    }
  }

  /// Whether an error was reported since a device last played.
  package var hasReportedErrors: Bool { !reportedErrors.isEmpty }

  /// Reports errors again that were reported before.
  package func forgetErrors() { reportedErrors = [] }

  // MARK: The present device

  /// Whether the device has reported its loss.
  package var isLost: Bool { inbox.withLock { $0.loss != nil } }

  /// The number of xruns of all devices.
  package var xruns: Int { inbox.withLock { $0.xruns } }

  /// The report with which the owner starts the present device. It does not keep this object alive.
  package var report: @Sendable (SoundDeviceEvent) -> Void {
    let number = inbox.withLock { $0.device }
    return { [weak self] event in self?.receive(event, from: number) }
  }

  private func receive(_ event: SoundDeviceEvent, from number: Int) {
    inbox.withLock { inbox in
      if inbox.device != number { return }
      if case .xruns(let count) = event { inbox.xruns += count }
      if case .lost(let reason) = event { inbox.loss = reason } else { inbox.events.append(event) }
    }
    wake()
  }

  private static let stall = "the device requests no more audio"
  private static let silence = "it is open, but requests no audio"

  /// Treats the device as lost because it requests no audio.
  package func loseStalledDevice(at now: Int64) {
    let reason = inbox.withLock { $0.loss }
    lose(because: reason ?? (hasPlayed ? Self.stall : Self.silence), at: now)
  }

  private func lose(because reason: String, at now: Int64) {
    guard let device else { return }
    giveUp(
      because: SoundDeviceError(device: device.name, isTemporary: true, reason: reason), at: now)
  }

  /// Stops the device, such as one that cannot be started, and opens it again.
  package func giveUp(because error: SoundDeviceError, at now: Int64) {
    if hasPlayed {
      isReturning = true
      changes.append(.event(.lost(reason: error.reason)))
    } else {
      reportOnce(error)
    }
    reason = error.reason
    replaceDevice(with: nil)
    changes.append(.closed)
    // A device that has played may be refused for a moment when it returns.
    guard error.isTemporary || isReturning else { return }
    recovery.begin(at: now) { [policy, open] in
      if policy.triesSilence { try Self.trySilence(on: open()) }
      return try open()
    }
  }

  private func reportOnce(_ error: SoundDeviceError) {
    if reportedErrors.contains(error) { return }
    reportedErrors.append(error)
    changes.append(.event(.silent(error)))
  }

  // MARK: Updates

  /// Returns the next change; `nil` if there is none. Must be called until then.
  ///
  /// - Parameter progress: A number that changes with each cycle of the device, and is 0 before the first.
  package func update(at now: Int64, progress: Int64) -> Change? {
    if changes.isEmpty { followDevice(at: now, progress) }
    if changes.isEmpty { followRecovery(at: now) }
    return changes.isEmpty ? nil : changes.removeFirst()
  }

  /// The time of the next update, if the owner is not woken before; `nil`: there is none.
  package func nextUpdate(after now: Int64) -> Int64? {
    if device == nil { return recovery.nextUpdate }
    if !hasPlayed { return now + 20_000_000 }
    return policy.stallLimit.map { _ in now + StallWatch.longestStep }
  }

  private func followDevice(at now: Int64, _ progress: Int64) {
    guard let device else { return }
    if !hasPlayed, progress != 0 {
      hasPlayed = true
      changes.append(.event(isReturning ? .returned(device.summary) : .playing(device.summary)))
      reportedErrors = []
      isReturning = false
    }
    let (events, loss) = inbox.withLock { inbox in
      defer { inbox.events = [] }
      return (inbox.events, inbox.loss)
    }
    changes += events.map { .event(.device($0)) }
    if let loss { return lose(because: loss, at: now) }
    guard let limit = policy.stallLimit, device.isRealTime, !device.isFreewheeling else { return }
    if watch.isStalled(progress, at: now, limit) { loseStalledDevice(at: now) }
  }

  private func followRecovery(at now: Int64) {
    if let limit = policy.absenceLimit, recovery.absence(at: now) > limit {
      recovery.cancel()
      return changes.append(.event(.absentTooLong(reason: reason)))
    }
    switch recovery.update(at: now, waking: wake) {
    case .value(let device, _):
      replaceDevice(with: device)
      changes.append(.opened(device))
    case .failure(let error as SoundDeviceError):
      reportOnce(error)
      if !error.isTemporary, !isReturning { recovery.cancel() }
    case .failure, nil: break
    }
  }
}

extension DeviceKeeper {
  /// Plays silence until a device has requested a cycle, and stops the device. A device that can be opened may still never
  /// request audio.
  ///
  /// - Parameter seconds: The timeout.
  /// - Throws: The reason why the device does not play.
  package static func trySilence(
    on device: any SoundDevice, within seconds: Double = 6
  ) throws(SoundDeviceError) {
    let signal = DeferredWorkSignal()
    let mixer = Mixer(device.format, signal: signal)
    let loss = Mutex<String?>(nil)
    defer {
      device.stop()
      withExtendedLifetime(mixer) {}
      signal.destroy()
    }
    try device.start(mixer.renderer) { event in
      if case .lost(let reason) = event { loss.withLock { $0 = reason } }
    }
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while mixer.cycles == 0 {
      let reason =
        loss.withLock { $0 } ?? (MonotonicClock.now > limit ? Self.silence : nil)
      if let reason {
        throw SoundDeviceError(device: device.name, isTemporary: true, reason: reason)
      }
      usleep(2000)
    }
  }
}

/// Detects a device that requests no audio.
private struct StallWatch {
  private var progress: Int64 = -1
  private var lastTime: Int64?
  /// The nanoseconds without progress.
  private var duration: Int64 = 0

  /// More time between two calls is not counted, because this process was stopped, and not the device.
  static let longestStep: Int64 = 500_000_000

  mutating func isStalled(_ progress: Int64, at now: Int64, _ limit: Int64) -> Bool {
    let step = min(now - (lastTime ?? now), Self.longestStep)
    duration = progress == self.progress ? duration + step : 0
    (self.progress, lastTime) = (progress, now)
    return duration >= limit
  }
}

extension SoundDevice {
  /// The device's name, with which the summary begins.
  fileprivate var name: String {
    summary.firstRange(of: ": ").map { String(summary[..<$0.lowerBound]) } ?? summary
  }

  fileprivate var isFreewheeling: Bool {
    (self as? any GraphDevice).map { $0.freewheeling.value != 0 } ?? false
  }
}
