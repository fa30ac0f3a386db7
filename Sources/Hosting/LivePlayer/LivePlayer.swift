import FluidSynthEngine
import Glibc
import LiveAudio
package import LocalSystem
package import MIDIFile
package import NodeHost
import NodeProtocol
package import OfflineRenderer
import RenderCore
import Synchronization

/// Plays a song in real time, until it ends or the observer ends it.
///
/// The loss of a node or of the sound device does not end the song: it continues, and they are used again when they
/// return.
///
/// Threads: one, which checks everything about 30 times per second. The device has a thread of its own.
package final class LivePlayer {
  private var settings: LivePlayerSettings
  private let file: StandardMIDIFile
  private let connector: NodeConnector
  /// The song at the rate of the device, like ``host``.
  private var song: LiveSong
  private var host: LiveHost
  private let recorder: LiveRecorder
  /// The realtime priority of the device's thread; 0 if it is denied.
  private let priority: Int
  /// The longest cycle that the nodes can render, in frames.
  private var maximumFrames: Int

  private let keeper: DeviceKeeper
  private var chainRecoveries: [Recovery<[Connection]>]
  /// The error of each chain if it is lost for too long.
  private var faults: [String]
  /// When each chain was lost whose nodes have been initialized again, but have not answered a cycle yet.
  private var returning: [Int64?]
  /// When the first chain was lost since all have played.
  private var absentSince: Int64?
  /// The connections whose nodes have sent too many commands.
  private var flooding: Set<ObjectIdentifier> = []
  private let commands = NodeCommands()
  /// Commands for the song from other threads, while it runs.
  package var remote: SongRemote { SongRemote(commands) }

  private var totals = LiveTotals()
  private var end = SongEnd()
  private var observer: (any LivePlayerObserver)?
  private let voices = VoiceCount()
  private var checks = 0
  /// The device's events that were reported; each is reported once, of the xruns only the first.
  private var reportedEvents: Set<String> = []
  private var timebase = TransportLead.Timebase.nobody

  /// The number of checks per second.
  private static let checkRate = 30

  /// Opens the device and initializes the nodes.
  ///
  /// - Parameters:
  ///   - connector: Initializes the nodes and reads their figures.
  ///   - chains: Connected but not initialized; as many for each port of the song, first those of the first port.
  package init(
    _ file: StandardMIDIFile, _ settings: LivePlayerSettings, _ connector: NodeConnector,
    _ chains: [[Connection]]
  ) throws(Failure) {
    self.settings = settings
    self.connector = connector
    self.file = file
    chainRecoveries = chains.map { _ in Recovery() }
    faults = chains.map { _ in "" }
    returning = chains.map { _ in nil }
    keeper = DeviceKeeper(Self.policy(settings)) { () throws(SoundDeviceError) in
      let device = try settings.openDevice()
      let channels = device.format.outputChannels
      if channels == 2 { return device }
      throw SoundDeviceError(
        device: device.summary, isTemporary: true,
        reason: "a song needs a device with 2 channels, but this one has \(channels)")
    }
    do {
      let device = try keeper.openNow()
      let format = device.format
      song = try LiveSong(file, settings, sampleRate: format.sampleRate)
      // Requested on another thread, because this one must keep its normal priority.
      priority = try interruptibly {
        (try? RealtimePriority.request(PacedDevice.priority)) ?? 0
      }
      try connector.initialize(chains, format, mode: .realtime, priority: priority)
      maximumFrames = format.maximumFrames
      recorder = LiveRecorder(song.beatMap, song: settings.song, path: settings.recording)
      host = song.host(
        try song.mixer(chains, format, isClicking: settings.hasMetronome), device,
        recording: recorder.song)
      if settings.isLooping {
        do { try host.loop() } catch { throw Failure.usage("--loop: \(error)") }
      }
    } catch {
      throw Failure(error)
    }
  }

  /// The song continues without the device, which must prove itself before it is used again.
  private static func policy(_ settings: LivePlayerSettings) -> DeviceKeeper.Policy {
    var policy = DeviceKeeper.Policy()
    policy.triesSilence = true
    policy.absenceLimit = settings.absenceNanoseconds
    // Longer than a cycle of any device, and shorter than the two seconds after which a node gives up its host.
    policy.stallLimit = 1_500_000_000
    return policy
  }

  /// The length of the song in seconds.
  package var seconds: Double { song.range.timeline.seconds }
  package var mixer: NodeMixer { host.mixer }
  /// Returns the song without changes, at the rate of the device.
  package func unchangedSong() throws(Failure) -> Timeline {
    var settings = settings
    settings.range.changes = SongChanges()
    (settings.range.start, settings.range.end) = (0, nil)
    do {
      return try LiveSong(file, settings, sampleRate: song.sampleRate).range.timeline
    } catch {
      throw Failure(error)
    }
  }
  /// The problems that occurred, as sentences for the user.
  package var warnings: [String] { totals.warnings }

  /// Plays the song. A player plays once.
  package func run(_ observer: any LivePlayerObserver) throws(Failure) -> SongReport {
    self.observer = observer
    do {
      return try run()
    } catch {
      throw Failure(error)
    }
  }

  private func run() throws -> SongReport {
    host.mixer.connections.forEach(commands.follow)
    setRecordedTail()
    if settings.recording != nil { try recorder.begin(host) }
    do {
      if settings.waits {
        try host.start(
          resuming: SongPosition(
            frame: song.start, isPlaying: false, isRecording: false,
            isLooping: settings.isLooping), report: keeper.report)
      } else {
        try host.start(at: song.start, report: keeper.report)
      }
    } catch {
      host.stop()
      throw error
    }
    let result = Result {
      try play()
      try checkPresence()
    }
    for chain in chainRecoveries.indices { chainRecoveries[chain].cancel() }
    host.stop()
    keeper.close()
    settings.link?.stop()
    recorder.end(host).forEach { report(.recorder($0)) }
    totals.add(host)
    if keeper.xruns > 1 { report(.xruns(keeper.xruns)) }
    try result.get()
    if let failure = recorder.failure { throw failure }
    return songReport
  }

  /// Checks everything periodically until the song is over or the observer ends it.
  private func play() throws {
    commands.host.withLock { $0 = host }
    defer { commands.host.withLock { $0 = nil } }
    while settings.waits || !end.isReached(host, song) {
      usleep(UInt32(1_000_000 / Self.checkRate))
      if let signal = Interruption.signal { throw Failure.interrupted(by: signal) }
      let now = MonotonicClock.now
      try checkDevice(now)
      try checkNodes(now)
      if settings.waits { renewChains(now) }
      if commands.takeLatencyChange() {
        host.mixer.align()
        setRecordedTail()
      }
      checkCommands()
      recorder.update(host).forEach { report(.recorder($0)) }
      if let link = settings.link {
        link.takeLines().forEach { report(.link($0)) }
        link.update(host.song)
      }
      if host.timebase != timebase {
        timebase = host.timebase
        report(.timebase(timebase))
      }
      for request in update() {
        switch request {
        case .quit: return
        case .toggleMetronome: host.mixer.isClicking.toggle()
        case .change(let changes): change(to: changes)
        case .command(let command):
          if !host.execute(command), case .loop(isOn: true) = command { report(.loopTooShort) }
        }
      }
    }
  }

  /// Reports nodes that send too many commands. A song that they have stopped continues.
  private func checkCommands() {
    for connection in host.mixer.connections
    where connection.refusedCommands > 0 && flooding.insert(ObjectIdentifier(connection)).inserted {
      report(.tooManyCommands(port: connection.port.name, connection.node))
      if host.endsAlone, !host.song.isPlaying, !host.song.isOver { host.execute(.continue) }
    }
  }

  /// Plays the song with other changes from now on. Changes that are impossible are reported and have no effect.
  private func change(to changes: SongChanges) {
    var settings = settings
    settings.range.changes = changes
    do {
      let song = try LiveSong(file, settings, sampleRate: song.sampleRate)
      if song.beatMap != self.song.beatMap, let reason = fixedTempo {
        throw Failure(.usage, reason)
      }
      host.change(to: song.range.timeline, end: song.end)
      recorder.change(to: song.beatMap)
      (self.song, self.settings) = (song, settings)
    } catch {
      report(.notChanged(reason: Failure(error).message))
    }
  }

  /// Why the tempo cannot be changed now; `nil` if it can.
  private var fixedTempo: String? {
    if settings.link != nil { return "the Link session has the tempo" }
    if settings.timebase != nil { return "JACK has been given the song's tempo" }
    if host.isRecording { return "the tempo cannot change in a recording: end it with r" }
    return nil
  }

  /// Limits what is recorded after the song's end to the tail, so that a recording with a tail of fixed length ends on
  /// its last frame and not at the end of a device cycle.
  private func setRecordedTail() {
    let range = song.range
    host.setRecordedTail(
      range.endsInSilence ? nil : range.limit - range.end + host.mixer.latency)
  }

  private func update() -> [LivePlayerRequest] {
    let peaks = host.figures.readAndResetPeaks()
    end.follow(peaks, after: 1 / Double(Self.checkRate))
    guard let observer else { return [] }
    if observer.showsVoices, checks % Self.checkRate == 0, chainRecoveries[0].isOver {
      voices.request(connector, host.mixer.chains[0][0])
    }
    checks += 1
    return observer.update(
      LivePlayerState(
        song: host.song, timeline: song.range.timeline, changes: settings.range.changes,
        isClicking: host.mixer.isClicking, peaks: peaks, voices: voices.voices,
        lateCycles: host.figures.lateCycles))
  }

  private func report(_ event: PlayerEvent) { observer?.report(event) }

  private var songReport: SongReport {
    var report = SongReport()
    report.describe(file, song.range)
    report.audio.seconds = seconds
    report.statistics.notes = song.range.timeline.noteCount
    if chainRecoveries[0].isOver, let figures = connector.noteFigures(of: host.mixer.chains[0][0]) {
      report.statistics.set(figures)
    }
    return report
  }
}

// Recovery when a sound device or nodes of a song are lost and return.
//
// Without the device, the song continues in real time without output, so that a recording is complete. Without a node,
// its chain is silent, and the other chains continue; when the node returns, it receives the song's current settings
// and plays from there. An absence longer than the limit ends the song.
extension LivePlayer {
  // MARK: The sound device

  private func checkDevice(_ now: Int64) throws {
    while let change = keeper.update(at: now, progress: host.deviceFrames) {
      switch change {
      case .opened(let device): try use(device, now)
      case .closed:
        try host.changeDevice(
          to: PacedDevice(rate: song.sampleRate, period: maximumFrames), report: { _ in })
      case .event(.absentTooLong(let reason)):
        throw Failure(.failed, DeviceKeeper.Event.absentTooLong(reason: reason).description)
      case .event(let event): reportOnce(event)
      }
    }
  }

  private func reportOnce(_ event: DeviceKeeper.Event) {
    let description: String
    switch event {
    case .playing: return
    case .device(.xruns): description = "xruns"
    case .device(let event): description = event.description
    default: return report(.sound(event))
    }
    if reportedEvents.insert(description).inserted { report(.sound(event)) }
  }

  private func use(_ device: any SoundDevice, _ now: Int64) throws {
    do {
      if device.format.sampleRate == song.sampleRate, device.format.maximumFrames <= maximumFrames {
        try host.changeDevice(to: device, report: keeper.report)
      } else {
        try changeHost(for: device, now)
      }
    } catch let error as SoundDeviceError {
      keeper.giveUp(because: error, at: now)
    }
  }

  /// Continues at the current position with a new host, for a device of another rate or with longer cycles.
  /// ``checkNodes(_:)`` opens the chains after the nodes have been initialized again.
  private func changeHost(for device: any SoundDevice, _ now: Int64) throws {
    let format = device.format
    let (oldSong, oldHost) = (song, host)
    var position = oldHost.suspend()
    if oldHost.figures.renderedFrames == 0 {
      (position.frame, position.isPlaying) = (oldSong.start, true)
    }
    song = try LiveSong(file, settings, sampleRate: format.sampleRate)
    maximumFrames = format.maximumFrames
    let mixer = try song.mixer(
      oldHost.mixer.chains, format, isClicking: oldHost.mixer.isClicking, earlier: oldHost.mixer)
    for chain in mixer.chains.indices {
      chainRecoveries[chain].restart(at: now, attempt(mixer.chains[chain]))
    }
    recorder.change(to: song.beatMap)
    host = song.host(mixer, device, recording: recorder.song)
    totals.add(oldHost)
    end.changeHost()
    commands.host.withLock { $0 = host }
    setRecordedTail()
    try host.start(resuming: song.position(position, in: oldSong), report: keeper.report)
  }

  // MARK: Nodes

  private func checkNodes(_ now: Int64) throws {
    for chain in host.mixer.chains.indices {
      if case .value(let connections, let absence)? = chainRecoveries[chain].update(at: now) {
        open(chain, with: connections)
        // At another rate the chain was only initialized again.
        if absence > 0, returning[chain] == nil { returning[chain] = now - absence }
      } else if !chainRecoveries[chain].isInProgress {
        checkReturn(chain, now)
        checkConnections(chain, now)
      }
    }
    try limitAbsence(now)
  }

  /// Ends the song after an absence that is too long. It counts from the first loss until all chains play again, so that
  /// chains that are lost in turn do not prolong it.
  private func limitAbsence(_ now: Int64) throws {
    guard let chain = host.mixer.chains.indices.first(where: { isAbsent($0, now) }) else {
      absentSince = nil
      return
    }
    let since = absentSince ?? now
    absentSince = since
    // A chain that has returned for a short time only is absent from its first loss on.
    let longest = chainRecoveries.reduce(now - since) { max($0, $1.absence(at: now)) }
    if longest > settings.absenceNanoseconds { throw Failure(.failed, faults[chain]) }
  }

  /// Reports a chain that plays again.
  private func checkReturn(_ chain: Int, _ now: Int64) {
    guard let lost = returning[chain], host.mixer.hasAnswered(chain) else { return }
    returning[chain] = nil
    let ports = host.mixer.chains[chain].map(\.port.name)
    report(.nodeReturned(ports: ports, seconds: Double(now - lost) / 1e9))
  }

  private func isAbsent(_ chain: Int, _ now: Int64) -> Bool {
    returning[chain] != nil || chainRecoveries[chain].absence(at: now) > 0
  }

  /// Fails if a chain is silent at the end of the song because its nodes are lost.
  private func checkPresence() throws {
    if settings.waits || !end.isReached(host, song) { return }
    let now = MonotonicClock.now
    if let chain = host.mixer.chains.indices.first(where: { isAbsent($0, now) }) {
      throw Failure(.failed, faults[chain])
    }
  }

  private func checkConnections(_ chain: Int, _ now: Int64) {
    let connections = host.mixer.chains[chain]
    for connection in connections {
      guard let fault = connection.fault(isOffline: false) else { continue }
      faults[chain] = fault
      // Nodes that were initialized again, but have not played, are still lost.
      if returning[chain] == nil { report(.nodeLost(reason: connection.loss)) }
      host.close(chain: chain)
      return chainRecoveries[chain].begin(at: now, attempt(connections))
    }
  }

  /// Gives a song that has been played, and is silent, new instruments, so that it sounds as if it were played for the
  /// first time when it starts. Commands wait for that.
  private func renewChains(_ now: Int64) {
    guard !host.isHeld, end.isSilent, chainRecoveries.allSatisfy({ $0.isOver && !$0.isInProgress })
    else { return }
    let format = Format(sampleRate: song.sampleRate, maximumFrames: maximumFrames)
    commands.host.withLock { _ in
      if host.song.isPlaying { return }
      host.renew { chain, connections in
        var connections = connections
        if let renewed = try? connector.reinitialize(&connections, format, priority: priority) {
          return renewed
        }
        faults[chain] = "an instrument of the song cannot be renewed"
        chainRecoveries[chain].begin(at: now, attempt(connections))
        return nil
      }
    }
  }

  /// Returns a function that recovers the connections of a closed chain. All nodes of the chain are initialized again, so
  /// that no node continues what it played before.
  private func attempt(_ chain: [Connection]) -> Recovery<[Connection]>.Attempt {
    let (connector, priority) = (connector, priority)
    let format = Format(sampleRate: song.sampleRate, maximumFrames: maximumFrames)
    let chain = Mutex(chain)
    return { try chain.withLock { try connector.reinitialize(&$0, format, priority: priority) } }
  }

  private func open(_ chain: Int, with connections: [Connection]) {
    for connection in connections
    where !host.mixer.chains[chain].contains(where: { $0 === connection }) {
      commands.follow(connection)
    }
    host.open(chain: chain, with: connections)
    setRecordedTail()
  }
}
