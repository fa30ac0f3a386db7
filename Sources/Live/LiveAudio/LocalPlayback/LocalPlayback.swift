import Dispatch
public import LiveMIDI
public import RenderCore
import Threads

/// Plays ports to a sound device while no host has them.
///
/// The device is open while a source is connected to a port, so that the first note is not late, and until the last
/// note has ended. Otherwise it is closed and no thread wakes up. If the device cannot be opened or is lost, it is
/// opened again every few seconds as long as a source is connected.
///
/// A port that a host initializes fades out within 10 ms, without a click. When the host releases the port, it plays
/// again with its previous settings.
///
/// A playback in a graph keeps its device open as long as it has a port, because other programs may send events to the
/// device. It plays them even while a host has the port; what keyboards play is then the host's.
///
/// Realtime: no. Threads: any. All work is performed on a private dispatch queue.
///
/// `@unchecked Sendable`: the variables belong to that queue.
public final class LocalPlayback: @unchecked Sendable {
  /// A closure that opens the device.
  public typealias Opening = @Sendable () throws(SoundDeviceError) -> any SoundDevice

  private let open: Opening
  private let report: @Sendable (LocalPlaybackEvent) -> Void
  private let queue = DispatchQueue(label: "portative-local-playback")
  private let deferredWork = DeferredWorkThread()
  /// The only port, if the device is a ``GraphDevice``, which stays open.
  private let graphPort: String?
  /// Keeps what keyboards play; `nil` to keep nothing.
  private let takes: TakeStream?
  /// Records what is heard; `nil` to record nothing.
  private let recorder: Recorder?
  /// The Link session that the ports follow; `nil` to follow the device's transport.
  private let link: LinkMemory?
  private let levels = PlayedLevels()
  private var ports: PlayedPorts
  private var device: LocalPlaybackDevice?
  /// Whether the open device was reported as playing.
  private var isReported = false
  /// The errors that were reported since the device last played.
  private var reportedErrors: [SoundDeviceError] = []
  private var backoff = RetryBackoff()
  private var isStopped = false
  /// The number of the latest delayed update; earlier ones are void.
  private var updateNumber = 0

  /// Starts local playback. The owner must call ``stop()``.
  ///
  /// - Parameters:
  ///   - open: Opens the device. Called on the private queue; it may block.
  ///   - report: Called for each event, on the private queue.
  /// - Throws: ``SystemError`` if the thread for deferred work cannot be started.
  public convenience init(
    open: @escaping Opening, report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    try self.init(takes: nil, open: open, report: report)
  }

  /// Starts local playback, and records what is played.
  ///
  /// - Parameters:
  ///   - graphPort: The name of the only port, if the device is a ``GraphDevice``, which stays open.
  ///   - takes: Keeps what keyboards play.
  ///   - recorder: Records what is heard.
  ///   - link: The Link session that the ports follow.
  package init(
    inGraph graphPort: String? = nil, link: LinkMemory? = nil, takes: TakeRecorder?,
    recorder: Recorder? = nil,
    open: @escaping Opening,
    report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    self.open = open
    self.report = report
    self.graphPort = graphPort
    self.takes = takes.map { TakeStream($0, of: graphPort) }
    self.recorder = recorder
    self.link = link
    ports = PlayedPorts(
      inGraph: graphPort != nil, self.takes, deferredWork, report: report,
      reportLater: { [queue] event in queue.async { report(event) } })
    try deferredWork.start()
    if let takes { deferredWork.add(for: takes) { takes.collect() } }
  }

  /// Adds a port.
  ///
  /// - Parameters:
  ///   - name: The port's name for the user.
  ///   - input: The port's live input.
  ///   - source: Makes the port's unit when it is needed.
  ///   - takesAudio: Whether the unit has audio input. It receives silence in as many channels as it has outputs.
  public func add(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, takesAudio: Bool = false
  ) {
    queue.async { [self] in
      ports.add(
        PlayedPorts.Port(name: name, input: input, source: source, takesAudio: takesAudio))
      input.onChange { [weak self] in self?.scheduleUpdate() }
      update()
    }
  }

  /// Removes a port.
  public func remove(_ input: LiveInput) {
    input.onChange(nil)
    queue.async { [self] in
      guard let port = ports.remove(input) else { return }
      if let mixPort = port.mixPort {
        for zone in port.zones.mixPorts { zone.isEnabled = false }
        device?.silence(mixPort)
        mix()
        ports.end(port)
      }
      update()
    }
  }

  /// Sets the sounds that the zones of a port can play. They are made now if the device is open, otherwise as soon as it
  /// is. Sounds that remain are not touched. Those that are missing now are removed when their notes have ended.
  ///
  /// - Parameter done: Called on the private queue when events can be sent to the sounds.
  package func setSounds(
    _ sounds: [ZoneSound], of input: LiveInput, done: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      ports.setSounds(sounds, of: input)
      mix()
      done()
      removeUnusedSounds()
    }
  }

  /// Sets which sounds the zones of a port play now. The others cost no time after their notes have ended.
  package func setPlayedSounds(_ numbers: Set<UInt8>, of input: LiveInput) {
    queue.async { [self] in ports.setPlayedSounds(numbers, of: input) }
  }

  /// Reports on which device the ports will play, or why they will not. Unless the device is open, this opens it and
  /// closes it again.
  public func announce() {
    queue.async { [self] in
      if isStopped || device != nil || !reportedErrors.isEmpty { return }
      do throws(SoundDeviceError) {
        let device = try open()
        report(.ready(device.summary))
        device.stop()
      } catch {
        reportedErrors.append(error)
        report(.silent(error))
      }
    }
  }

  /// Closes the device. If the device is just being opened, this waits for it for at most two seconds.
  public func stop() {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      isStopped = true
      close()
      takes?.remove()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + 2)
    deferredWork.stop()
  }

  /// Closes the device and opens it again, if it is needed; units that could not be made are tried again.
  package func restart() {
    queue.async { [self] in
      if isStopped { return }
      close()
      reportedErrors = []
      ports.forgetFailures()
      update()
    }
  }

  private func scheduleUpdate() { queue.async { [self] in update() } }

  /// Opens or closes the device and adds ports to the mix, as the connected sources and hosts require.
  private func update() {
    if isStopped { return }
    let isWanted = ports.areWanted
    if let device, device.isLost {
      // An event before the loss may lead here before the event of the loss does.
      if let reason = device.takeLoss() { reportLoss(of: device, reason) }
      close()
      if isWanted, backoff.shouldWait(afterAge: device.age) {
        return scheduleUpdate(after: backoff.next())
      }
    }
    if device == nil, isWanted { start() }
    guard let device else { return }
    updateMix(of: device)
    if isWanted { return }
    if device.isAudible { return scheduleUpdate(after: RetryBackoff.shortest) }
    close()
    report(.closed)
  }

  /// Schedules an update, and cancels the delayed update that was scheduled before.
  private func scheduleUpdate(after seconds: Double) {
    updateNumber += 1
    let number = updateNumber
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      if let self, updateNumber == number { update() }
    }
  }

  private func start() {
    do throws(SoundDeviceError) {
      let opened = try open()
      let rate = opened.format.sampleRate
      let take = takes?.begin(sampleRate: rate)
      let recording = recorder?.begin(sampleRate: rate, take)
      let device = LocalPlaybackDevice(
        opened, signal: deferredWork.signal, link: link, recording: recording?.ring)
      self.device = device
      updateMix(of: device)
      takes?.start()
      // Weak, because a stopped device may keep the closure.
      try device.start { [weak self, weak device] event in
        if let device { self?.receive(event, from: device) }
      }
      reportPlaying(device, retryingAfter: 0.02)
    } catch {
      close()
      reportOnce(error)
      if error.isTemporary { scheduleUpdate(after: RetryBackoff.shortest) }
    }
  }

  /// Reports that a device plays as soon as it has requested a cycle, because an open device may never do so.
  private func reportPlaying(_ device: LocalPlaybackDevice, retryingAfter seconds: Double) {
    guard self.device === device, !device.isLost else { return }
    if device.hasPlayed {
      reportedErrors = []
      isReported = true
      report(.playing(device.summary))
    } else {
      queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
        self?.reportPlaying(device, retryingAfter: min(2 * seconds, 2))
      }
    }
  }

  /// Reports why there is no sound. Each error is reported once until the device plays.
  private func reportOnce(_ error: SoundDeviceError) {
    if reportedErrors.contains(error) { return }
    reportedErrors.append(error)
    report(.silent(error))
  }

  private func close() {
    if let device {
      device.stop()
      takes?.end()
      recorder?.end()
    }
    device = nil
    isReported = false
    ports.endAll()
    publishLevels()
  }

  private func receive(_ event: SoundDeviceEvent, from device: LocalPlaybackDevice) {
    queue.async { [self] in
      guard self.device === device else { return }
      switch event {
      // The update below reports it.
      case .lost: break
      case .notRealtime, .xruns, .refusedMIDI, .lengthened, .resumed: report(.device(event))
      }
      update()
    }
  }

  /// Reports that a device is lost. If it has not requested a cycle, it never played, and the loss is reported as an
  /// error.
  private func reportLoss(of device: LocalPlaybackDevice, _ reason: String) {
    if device.hasPlayed {
      if !isReported { report(.playing(device.summary)) }
      report(.device(.lost(reason: reason)))
    } else {
      reportOnce(SoundDeviceError(device: device.name, isTemporary: true, reason: reason))
    }
    isReported = false
  }

  /// Makes the units that are needed.
  private func updateMix(of device: LocalPlaybackDevice) {
    if ports.makeUnits(device.format, device.eventCapacity) { mix() }
  }

  /// Removes the sounds that no zone can play any more, as soon as they are silent.
  private func removeUnusedSounds() {
    let removed = ports.removeUnusedSounds()
    if !removed.isEmpty {
      mix()
      for zone in removed { ports.end(zone) }
    }
    if ports.haveUnusedSounds {
      queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.removeUnusedSounds() }
    }
  }

  /// Returns the greatest peaks of the sounds of a port on the device since the last call, and resets them. Does not wait
  /// for a device that is just being opened.
  ///
  /// - Returns: `nil` if the port is not played on the device.
  package func takePeaks(of input: LiveInput) -> StereoPeaks? { levels.take(input) }

  private func mix() {
    publishLevels()
    guard let device, !device.mix(ports.mixPorts) else { return }
    reportLoss(of: device, "the device requests no more audio")
    scheduleUpdate()
  }

  private func publishLevels() { levels.set(ports.mixPortsByInput) }
}
