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
  private var isInGraph: Bool { graphPort != nil }
  /// Records what is played; `nil` to record nothing.
  private let recorder: TakeRecorder?
  private let takeFIFO: TakeFIFO?
  /// Records what is heard; `nil` to record nothing.
  private let playbackRecorder: (any PlaybackRecorder)?
  /// The Link session that the ports follow; `nil` to follow the device's transport.
  private let link: LinkMemory?
  private let levels = PlayedLevels()
  private var ports: [Port] = []
  private var device: LocalPlaybackDevice?
  /// The session of ``recorder`` that has the device.
  private var takeSession: Int?
  /// Whether the open device was reported as playing.
  private var isReported = false
  /// The errors that were reported since the device last played.
  private var reportedErrors: [SoundDeviceError] = []
  private var backoff = RetryBackoff()
  private var isStopped = false
  /// The number of the latest delayed update; earlier ones are void.
  private var updateNumber = 0

  private struct Port {
    let name: String
    let input: LiveInput
    let source: any RenderUnitSource
    let takesAudio: Bool
    /// The port in the mix; `nil` while it is not in the mix.
    var mixPort: MixPort?
    var zones = ZonePorts()
    var hasFailed = false

    func isWanted(inGraph isInGraph: Bool) -> Bool {
      (isInGraph || input.hasSources) && !hasFailed
    }

    /// The port and its zones in the mix; none while it is not in the mix.
    var mixPorts: [MixPort] { mixPort.map { [$0] + zones.mixPorts } ?? [] }
  }

  /// Starts local playback. The owner must call ``stop()``.
  ///
  /// - Parameters:
  ///   - open: Opens the device. Called on the private queue; it may block.
  ///   - report: Called for each event, on the private queue.
  /// - Throws: ``SystemError`` if the thread for deferred work cannot be started.
  public convenience init(
    open: @escaping Opening, report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    try self.init(recorder: nil, open: open, report: report)
  }

  /// Starts local playback, and records what is played.
  ///
  /// - Parameters:
  ///   - graphPort: The name of the only port, if the device is a ``GraphDevice``, which stays open.
  ///   - recorder: Keeps what keyboards play.
  ///   - playbackRecorder: Records what is heard.
  ///   - link: The Link session that the ports follow.
  package init(
    inGraph graphPort: String? = nil, link: LinkMemory? = nil, recorder: TakeRecorder?,
    playbackRecorder: (any PlaybackRecorder)? = nil,
    open: @escaping Opening,
    report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    self.open = open
    self.report = report
    self.graphPort = graphPort
    self.recorder = recorder
    takeFIFO = recorder?.addFIFO()
    self.playbackRecorder = playbackRecorder
    self.link = link
    try deferredWork.start()
    if let recorder { deferredWork.add(for: recorder) { recorder.collect() } }
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
      ports.append(
        Port(name: name, input: input, source: source, takesAudio: takesAudio))
      input.onChange { [weak self] in self?.scheduleUpdate() }
      update()
    }
  }

  /// Removes a port.
  public func remove(_ input: LiveInput) {
    input.onChange(nil)
    queue.async { [self] in
      guard let index = ports.firstIndex(where: { $0.input === input }) else { return }
      let port = ports.remove(at: index)
      if let mixPort = port.mixPort {
        for zone in port.zones.mixPorts { zone.isEnabled = false }
        device?.silence(mixPort)
        mix()
        drop(port)
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
      if let index = ports.firstIndex(where: { $0.input === input }) {
        ports[index].zones.sounds = sounds
        updateZones(at: index)
        mix()
      }
      done()
      removeUnusedSounds()
    }
  }

  /// Sets which sounds the zones of a port play now. The others cost no time after their notes have ended.
  package func setPlayedSounds(_ numbers: Set<UInt8>, of input: LiveInput) {
    queue.async { [self] in
      guard let index = ports.firstIndex(where: { $0.input === input }) else { return }
      ports[index].zones.played = numbers
    }
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
      if let takeFIFO { recorder?.remove(takeFIFO) }
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
      for index in ports.indices { ports[index].hasFailed = false }
      update()
    }
  }

  private func scheduleUpdate() { queue.async { [self] in update() } }

  /// Opens or closes the device and adds ports to the mix, as the connected sources and hosts require.
  private func update() {
    if isStopped { return }
    let isWanted = ports.contains { $0.isWanted(inGraph: isInGraph) }
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
      takeSession = recorder?.begin(sampleRate: rate)
      let device = LocalPlaybackDevice(
        opened, signal: deferredWork.signal, link: link,
        recording: playbackRecorder?.begin(sampleRate: rate, sessionTake))
      self.device = device
      updateMix(of: device)
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

  /// What keyboards play on the open device.
  private var sessionTake: SessionTake? {
    guard let recorder, let takeSession else { return nil }
    return SessionTake(recorder, session: takeSession, of: graphPort)
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
      let take = recorder?.sessionTake(of: graphPort)
      if let takeSession { recorder?.end(takeSession) }
      takeSession = nil
      playbackRecorder?.end(take)
    }
    device = nil
    isReported = false
    for index in ports.indices {
      drop(ports[index])
      ports[index].mixPort = nil
      ports[index].zones.removeAll()
    }
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

  /// Makes the units that are needed, and enables the ports that no host has.
  private func updateMix(of device: LocalPlaybackDevice) {
    var isChanged = false
    for index in ports.indices {
      if ports[index].mixPort == nil, ports[index].isWanted(inGraph: isInGraph) {
        ports[index].mixPort = makeMixPort(ports[index], device)
        ports[index].hasFailed = ports[index].mixPort == nil
        updateZones(at: index)
        isChanged = true
      }
      for port in ports[index].mixPorts { port.isEnabled = isEnabled(ports[index]) }
    }
    if isChanged { mix() }
  }

  /// Whether a port is heard on the device.
  private func isEnabled(_ port: Port) -> Bool { isInGraph || !port.input.isHosted }

  private func tap(for port: String, sound: ZoneSound? = nil) -> TakeTap {
    guard let recorder, let takeFIFO else { return .none }
    return recorder.tap(for: port, sound: sound, through: takeFIFO)
  }

  private func makeMixPort(_ port: Port, _ device: LocalPlaybackDevice) -> MixPort? {
    do {
      var format = device.format
      format.inputChannels = port.takesAudio ? format.outputChannels : 0
      let unit = try port.source.makeUnit(format)
      let mixPort = MixPort(
        unit, port.input, format, device: device.eventCapacity, tap: tap(for: port.name))
      addDeferredWork(of: mixPort, named: port.name)
      mixPort.begin()
      return mixPort
    } catch {
      report(.failed(port: port.name, reason: "\(error)"))
      return nil
    }
  }

  private func addDeferredWork(of port: MixPort, named name: String) {
    deferredWork.add(for: port.unit) { [queue, report] in
      do {
        try port.performDeferredWork()
      } catch {
        let reason = "\(error)"
        queue.async { report(.notRenewed(port: name, reason: reason)) }
      }
    }
  }

  /// Makes the missing units of a port's zones.
  private func updateZones(at index: Int) {
    guard let port = ports[index].mixPort else { return }
    for sound in ports[index].zones.missing {
      do {
        let unit = try SilenceableSource(sound.source).makeUnit(port.format)
        let zone = MixPort(
          unit, sound: sound.number, sound.panorama, of: port,
          tap: tap(for: ports[index].name, sound: sound))
        zone.isEnabled = isEnabled(ports[index])
        addDeferredWork(of: zone, named: ports[index].name)
        ports[index].zones.add(zone)
      } catch {
        ports[index].zones.fail(sound)
        report(.failed(port: "\(ports[index].name), zone '\(sound.name)'", reason: "\(error)"))
      }
    }
    ports[index].input.zoneUnits = ports[index].zones.units
  }

  /// Removes the sounds that no zone can play any more, as soon as they are silent.
  private func removeUnusedSounds() {
    var removed: [MixPort] = []
    for index in ports.indices {
      removed += ports[index].zones.removeUnused()
      ports[index].input.zoneUnits = ports[index].zones.units
    }
    if !removed.isEmpty {
      mix()
      for zone in removed { end(zone) }
    }
    if ports.contains(where: \.zones.hasUnused) {
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
    guard let device, !device.mix(ports.flatMap(\.mixPorts)) else { return }
    reportLoss(of: device, "the device requests no more audio")
    scheduleUpdate()
  }

  private func publishLevels() {
    let played = ports.filter { $0.mixPort != nil }
    levels.set(
      Dictionary(played.map { (ObjectIdentifier($0.input), $0.mixPorts) }) { $0 + $1 })
  }

  private func drop(_ port: Port) {
    guard let mixPort = port.mixPort else { return }
    mixPort.end()
    for port in port.mixPorts { end(port) }
    port.input.zoneUnits = [:]
  }

  /// Forgets a unit that is not in the mix any more.
  private func end(_ port: MixPort) {
    deferredWork.remove(port.unit)
    recorder?.end(port.tap)
  }
}
