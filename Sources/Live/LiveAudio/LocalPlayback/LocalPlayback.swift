import CLinux
import Dispatch
import Glibc
public import LiveMIDI
import LocalSystem
public import RenderCore

/// Plays ports to a sound device while no host has them.
///
/// The device is open while a source is connected to a port, so that the first note is not late, and until the last
/// note has ended; while it is recorded, for a minute longer. Otherwise it is closed and no thread wakes up. If the device cannot be opened or is lost, a
/// ``DeviceKeeper`` opens it again as long as a source is connected.
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
  private let report: @Sendable (LocalPlaybackEvent) -> Void
  private let queue = DispatchQueue(label: "portative-local-playback")
  private let deferredWork = DeferredWorkThread()
  /// The maximum number of events of the device in a cycle.
  private let eventCapacity: EventCapacity
  /// Keeps what keyboards play; `nil` to keep nothing.
  private let takes: TakeStream?
  /// Records what is heard; `nil` to record nothing.
  private var recorder: Recorder?
  /// The Link session that the ports follow; `nil` to follow the device's transport.
  private let link: LinkMemory?
  private var ports: PlayedPorts
  /// What is heard beside the ports.
  private var inputs = MixDevices()
  /// The mix of the device while it is open.
  private var mixer: Mixer?
  /// The device while it plays the mix.
  private var device: (any SoundDevice)?
  /// Whether the device has been started.
  private var isRunning = false
  private let keeper: DeviceKeeper
  /// The nanoseconds for which a device that is recorded stays open while nothing is connected, so that the recording goes on
  /// if a keyboard's cable is moved.
  private let recordingPause: Int64
  /// The time since which nothing is connected; `nil` while something is, and while the device is closed.
  private var idleTime: Int64?
  /// Whether the device is opened only to report whether it can be.
  private var isAnnouncing = false
  private var isStopped = false
  /// The number of the latest delayed update; earlier ones are void.
  private var updateNumber = 0

  /// Starts local playback. The owner must call ``stop()``.
  ///
  /// - Parameters:
  ///   - graphPort: The name of the only port, if the device is a ``GraphDevice``, which stays open.
  ///   - takes: Keeps what keyboards play.
  ///   - recorder: Records what is heard.
  ///   - link: The Link session that the ports follow.
  ///   - recordingPause: The time for which a device that is recorded stays open while nothing is connected.
  ///   - open: Opens the device.
  ///   - report: Called for each event, on the private queue.
  /// - Throws: ``SystemError`` if the thread for deferred work cannot be started.
  package init(
    inGraph graphPort: String? = nil, link: LinkMemory? = nil, takes: TakeRecorder? = nil,
    recorder: Recorder? = nil, recordingPause: Duration = .seconds(60),
    open: @escaping DeviceKeeper.Opening,
    report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    self.report = report
    keeper = DeviceKeeper(DeviceKeeper.Policy(), open: open)
    self.recordingPause = Int64(recordingPause / .nanoseconds(1))
    eventCapacity = graphPort == nil ? .none : EventCapacity(events: 4096, bytes: 1 << 16)
    self.takes = takes.map { TakeStream($0, of: graphPort) }
    self.recorder = recorder
    self.link = link
    ports = PlayedPorts(
      inGraph: graphPort != nil, self.takes, deferredWork, report: report,
      reportLater: { [queue] event in queue.async { report(event) } })
    keeper.wake = { [weak self] in self?.scheduleUpdate() }
    ports.wake = { [weak self] in self?.scheduleUpdate() }
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
  @discardableResult
  public func add(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, takesAudio: Bool = false
  ) -> PlayedPort {
    let port = PlayedPort(name, input, source, takesAudio: takesAudio, on: self)
    queue.async { [self] in
      if isStopped { return }
      ports.add(port)
      input.onChange { [weak self] in self?.scheduleUpdate() }
      update()
    }
    return port
  }

  /// Removes a port.
  func remove(_ port: PlayedPort) {
    port.input.onChange(nil)
    queue.async { [self] in
      guard let removed = ports.remove(port) else { return }
      if let mixPort = removed.mixPort {
        for zone in removed.zones.mixPorts { zone.isEnabled = false }
        silence(mixPort)
        mix()
        ports.end(removed)
        port.setMixPorts([])
      }
      update()
    }
  }

  /// Opens an input of the mix as a device of its own. The device of the playback is open until that is stopped.
  ///
  /// - Parameters:
  ///   - name: The name of what is played, for the MIDI file of a recording.
  ///   - seconds: The longest wait for the device of the playback.
  /// - Throws: ``SoundDeviceError`` if the device of the playback cannot be used.
  package func openInput(
    named name: String, within seconds: Double = 5
  ) throws(SoundDeviceError) -> MixDevice {
    let request = MixDeviceRequest(name)
    queue.async { [self] in
      if isStopped { return _ = request.finish(.failure(Self.closed)) }
      inputs.add(request)
      update()
    }
    if let answer = request.wait(seconds: seconds) { return try answer.get() }
    queue.async { [self] in
      inputs.remove(request)
      update()
    }
    throw SoundDeviceError(
      device: name, isTemporary: true, reason: "the sound device does not play")
  }

  private static let closed = SoundDeviceError(
    device: "the server", isTemporary: false, reason: "it is being stopped")

  private func makeInput(
    _ name: String, _ mixer: Mixer, of device: any SoundDevice
  ) -> MixDevice {
    // Takes are what keyboards play; a recording has all that is heard.
    let tap = recorder == nil ? .none : takes?.tap(for: name, sound: nil, isTaken: false) ?? .none
    return MixDevice(mixer.input, of: device, tap) { [weak self] input in
      self?.queue.async { [weak self] in
        self?.inputs.remove(input)
        self?.takes?.end(tap)
        self?.update()
      }
    }
  }

  /// Sets the sounds that the zones of a port can play.
  func setSounds(
    _ sounds: [ZoneSound], of port: PlayedPort, done: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      ports.setSounds(sounds, of: port)
      mix()
      done()
      removeUnusedSounds()
    }
  }

  /// Sets which sounds the zones of a port play now.
  func setPlayedSounds(_ numbers: Set<UInt8>, of port: PlayedPort) {
    queue.async { [self] in ports.setPlayedSounds(numbers, of: port) }
  }

  /// Reports on which device the ports will play, or why they will not. Unless the device is open, this opens it and
  /// closes it again.
  public func announce() {
    queue.async { [self] in
      if isStopped || mixer != nil || keeper.hasReportedErrors { return }
      isAnnouncing = true
      keeper.begin(at: MonotonicClock.now)
      update()
    }
  }

  /// Closes the device. Waits for the private queue for at most two seconds.
  public func stop() {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      isStopped = true
      close()
      inputs.refuse(Self.closed)
      // A port refers to its playback.
      ports.removeAll()
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
      keeper.forgetErrors()
      ports.forgetFailures()
      update()
    }
  }

  /// Records what is heard from now on with another recorder, also when the device is opened again. The recording of the
  /// one before ends; its owner completes it.
  ///
  /// Waits until the device uses it, or has been opened or closed, which may take seconds.
  ///
  /// - Parameter recorder: `nil`: nothing is recorded.
  package func record(with recorder: Recorder?) {
    queue.sync {
      if isStopped { return }
      let last = self.recorder
      self.recorder = recorder
      takes?.endRecording()
      if let mixer {
        let recording = recorder?.begin(
          sampleRate: mixer.format.sampleRate, takes?.beginRecording(), isLate: true)
        mixer.record(in: recording?.ring, isRunning: isRunning && !keeper.isLost)
      }
      // Now the ring has all cycles.
      last?.end()
    }
  }

  private func scheduleUpdate() { queue.async { [self] in update() } }

  /// Opens or closes the device and adds ports to the mix, as the connected sources and hosts require.
  private func update() {
    if isStopped { return }
    let isWanted = ports.areWanted || inputs.areWanted
    if isWanted {
      keeper.begin(at: MonotonicClock.now)
    } else if mixer == nil, !isAnnouncing {
      keeper.close()
    }
    while let change = keeper.update(
      at: MonotonicClock.now, progress: Int64(mixer?.cycles ?? 0))
    {
      follow(change, isWanted: isWanted)
    }
    if let mixer {
      updateMix(mixer.format)
      if let device, !keeper.isLost { inputs.open { makeInput($0, mixer, of: device) } }
      if !isWanted {
        if let time = timeUntilClosing(mixer) { return scheduleUpdate(after: time) }
        close()
        return report(.closed)
      }
      idleTime = nil
    }
    let now = MonotonicClock.now
    if let time = keeper.nextUpdate(after: now) { scheduleUpdate(after: time - now) }
  }

  /// Returns the nanoseconds after which the device, to which nothing is connected, may be closed; `nil`: now.
  private func timeUntilClosing(_ mixer: Mixer) -> Int64? {
    let now = MonotonicClock.now
    let begin = idleTime ?? now
    idleTime = begin
    if mixer.isAudible { return Self.fadeCheck }
    let rest = recordingPause - (now - begin)
    return recorder != nil && rest > 0 ? rest : nil
  }

  /// The nanoseconds between checks whether the last notes have ended.
  private static let fadeCheck: Int64 = 2_000_000_000

  /// Schedules an update, and cancels the delayed update that was scheduled before.
  private func scheduleUpdate(after nanoseconds: Int64) {
    updateNumber += 1
    let number = updateNumber
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in
      if let self, updateNumber == number { update() }
    }
  }

  private func follow(_ change: DeviceKeeper.Change, isWanted: Bool) {
    switch change {
    case .opened(let device):
      if isWanted {
        start(device)
      } else {
        if isAnnouncing { report(.ready(device.summary)) }
        keeper.close()
      }
      isAnnouncing = false
    case .closed:
      endMix()
      if !isWanted { keeper.close() }
    case .event(let event):
      report(.sound(event))
      if case .silent(let error) = event {
        inputs.refuse(error)
        isAnnouncing = false
        if !isWanted, mixer == nil { keeper.close() }
      }
    }
  }

  private func start(_ device: any SoundDevice) {
    let rate = device.format.sampleRate
    takes?.begin(sampleRate: rate)
    let recording = recorder?.begin(sampleRate: rate, takes?.beginRecording())
    let mixer = Mixer(
      device.format, signal: deferredWork.signal, isRealTime: device.isRealTime,
      freewheeling: (device as? any GraphDevice)?.freewheeling, link: link,
      recording: recording?.ring)
    self.mixer = mixer
    ports.context = RenderContext(priority: device.priority)
    updateMix(device.format)
    takes?.start()
    do throws(SoundDeviceError) {
      try device.start(mixer.renderer, report: keeper.report)
      isRunning = true
      self.device = device
    } catch {
      keeper.giveUp(because: error, at: MonotonicClock.now)
    }
  }

  private func close() {
    keeper.close()
    endMix()
  }

  /// Ends the mix of a device that has stopped.
  private func endMix() {
    if mixer != nil {
      takes?.end()
      recorder?.end()
    }
    mixer = nil
    device = nil
    idleTime = nil
    isRunning = false
    inputs.lose(because: "the sound device was closed")
    ports.endAll()
    ports.publishLevels()
  }

  /// Makes the units that are needed.
  private func updateMix(_ format: Format) {
    if ports.makeUnits(format, eventCapacity) { mix() }
  }

  private func mix() {
    ports.publishLevels()
    // A lost device keeps its list, because its thread may use it until it is stopped.
    guard let mixer, !keeper.isLost else { return }
    if mixer.set(ports.mixPorts, isRunning: isRunning) { return ports.restoreLateSounds() }
    keeper.loseStalledDevice(at: MonotonicClock.now)
    isRunning = false
    scheduleUpdate()
  }

  /// Fades a port out, and waits for that for at most 300 ms.
  private func silence(_ port: MixPort) {
    port.isEnabled = false
    let limit = MonotonicClock.now + 300_000_000
    while isRunning, !keeper.isLost, port.isAudible, MonotonicClock.now < limit { usleep(2000) }
  }

  /// Removes the sounds that no zone can play any more, as soon as they are silent.
  private func removeUnusedSounds() {
    var removed = ports.removeUnusedSounds()
    if !removed.isEmpty {
      mix()
      for zone in removed { ports.end(zone) }
      removed = []
      // Otherwise, the memory of the units of earlier scenes stays with this process.
      malloc_trim(0)
    }
    if ports.haveUnusedSounds {
      queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.removeUnusedSounds() }
    }
  }
}
