import LiveAudio
import NodeDirectory
import NodeHost
import RenderCore
import SongHost
import Synchronization

// Recovery when a sound device or nodes of a song are lost and return.
//
// Without the device, the song continues in real time without output, so that a recording is complete. Without a node,
// its chain is silent, and the other chains continue; when the node returns, it receives the song's current settings
// and plays from there. An absence longer than the limit ends the song.
extension LivePlayer {
  // MARK: The sound device

  func checkDevice(_ now: ContinuousClock.Instant) throws {
    let isStalled = deviceWatch.isStalled(host.figures.renderedFrames)
    let stall =
      isStalled && !deviceRecovery.isInProgress ? "the device requests no more audio" : nil
    if let reason = deviceEvents.loss ?? stall {
      report(.deviceLost(reason: reason))
      deviceWatch = DeviceWatch()
      // Closes the lost device, which the search may open only then.
      try changeDevice(to: PacedDevice(rate: song.sampleRate, period: maximumFrames))
      try deviceRecovery.begin(
        because: "the sound device is lost: \(reason); choose another one with --audio, or raise "
          + "--patience", at: now, reopenDevice)
    }
    guard let device = try deviceRecovery.result(at: now, limit: settings.absenceLimit)?.value
    else { return }
    if device.format.sampleRate == song.sampleRate,
      device.format.maximumFrames <= maximumFrames
    {
      try changeDevice(to: device)
    } else {
      try changeHost(for: device)
    }
    // A device that is lost again immediately is reported as lost.
    if deviceEvents.loss == nil { report(.deviceReturned(summary: device.summary)) }
  }

  private func reopenDevice(
    after delay: Double, following predecessor: RepeatedAttempt<any SoundDevice>?
  ) throws -> RepeatedAttempt<any SoundDevice> {
    let open = settings.openDevice
    return try RepeatedAttempt(
      after: delay, pauses: 0.5...0.5, following: predecessor, discard: { $0.stop() }
    ) {
      // A device that can be opened may still request no audio; it has not returned then.
      let trial = try open()
      try SoundTrial.run(trial, named: trial.summary)
      let device = try open()
      guard device.format.outputChannels == 2 else {
        throw SoundDeviceError(
          device: device.summary, isTemporary: true, reason: "a song needs 2 channels")
      }
      return device
    }
  }

  private func changeDevice(to device: any SoundDevice) throws {
    replaceDeviceEvents()
    do throws(SoundDeviceError) {
      try host.changeDevice(to: device, report: deviceEvents.receive)
    } catch {
      // A device that opens but does not start is lost. A `PacedDevice` always starts.
      if device is PacedDevice { throw error }
      deviceEvents.receive(.lost(reason: error.reason))
    }
  }

  private func replaceDeviceEvents() {
    totals.add(deviceEvents)
    deviceEvents = DeviceEventLog()
  }

  /// Continues at the current position with a new host, for a device of another rate or with longer cycles.
  /// ``checkNodes(_:)`` opens the chains after the nodes have been initialized again.
  private func changeHost(for device: any SoundDevice) throws {
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
      try chainRecoveries[chain].restart(starter(mixer.chains[chain]))
    }
    recorder.change(to: song.beatMap)
    host = song.host(mixer, device, recording: recorder.song)
    totals.add(oldHost)
    end.changeHost()
    commands.host.withLock { $0 = host }
    setRecordedTail()
    replaceDeviceEvents()
    do {
      try host.start(
        resuming: song.position(position, in: oldSong), report: deviceEvents.receive)
    } catch {
      deviceEvents.receive(.lost(reason: "\(error)"))
    }
  }

  // MARK: Nodes

  func checkNodes(_ now: ContinuousClock.Instant) throws {
    for chain in host.mixer.chains.indices {
      if let result = try chainRecoveries[chain].result(at: now, limit: settings.absenceLimit) {
        open(chain, with: result.value, after: result.absentSeconds)
      } else if !chainRecoveries[chain].isInProgress {
        try checkConnections(chain, now)
      }
    }
  }

  private func checkConnections(_ chain: Int, _ now: ContinuousClock.Instant) throws {
    let connections = host.mixer.chains[chain]
    for connection in connections {
      guard let fault = connection.fault(isOffline: false) else { continue }
      report(.nodeLost(reason: connection.loss))
      host.close(chain: chain)
      return try chainRecoveries[chain].begin(because: fault, at: now, starter(connections))
    }
  }

  /// Returns a function that starts to recover the connections of a closed chain. All nodes of the chain are initialized
  /// again, so that no node continues what it played before.
  private func starter(_ chain: [Connection]) -> Recovery<[Connection]>.Starter {
    let (connector, priority) = (connector, priority)
    let format = Format(
      sampleRate: song.sampleRate, maximumFrames: maximumFrames)
    return { delay, predecessor in
      let chain = Mutex(chain)
      return try RepeatedAttempt(after: delay, pauses: 0.25...4, following: predecessor) {
        try chain.withLock { try connector.reinitialize(&$0, format, priority: priority) }
      }
    }
  }

  private func open(_ chain: Int, with connections: [Connection], after seconds: Double) {
    for connection in connections
    where !host.mixer.chains[chain].contains(where: { $0 === connection }) {
      commands.follow(connection)
    }
    host.open(chain: chain, with: connections)
    setRecordedTail()
    // At another rate the chain was only initialized again.
    if seconds > 0 { report(.nodeReturned(ports: connections.map(\.port.name), seconds: seconds)) }
  }
}
