import LiveMIDI
import LocalSystem
import RenderCore

/// The ports of a ``LocalPlayback``, and their units while the device is open.
///
/// Threads: the playback's queue.
struct PlayedPorts {
  private var ports: [Port] = []
  private let isInGraph: Bool
  /// Makes the taps that record the units; `nil` to record nothing.
  private let takes: TakeStream?
  private let deferredWork: DeferredWorkThread
  private let report: @Sendable (LocalPlaybackEvent) -> Void
  /// Called on any thread.
  private let reportLater: @Sendable (LocalPlaybackEvent) -> Void

  struct Port {
    let played: PlayedPort
    /// The port in the mix; `nil` while it is not in the mix.
    var mixPort: MixPort?
    var zones = ZonePorts()
    var hasFailed = false

    /// The port and its zones in the mix; none while it is not in the mix.
    var mixPorts: [MixPort] { mixPort.map { [$0] + zones.mixPorts } ?? [] }
  }

  /// - Parameters:
  ///   - inGraph: Whether ports are played while they have no source, and while hosts have them.
  ///   - takes: Makes the taps that record the units.
  ///   - deferredWork: Does the deferred work of the units.
  ///   - report: Called for each event, on the playback's queue.
  ///   - reportLater: Called on the thread for deferred work.
  init(
    inGraph: Bool, _ takes: TakeStream?, _ deferredWork: DeferredWorkThread,
    report: @escaping @Sendable (LocalPlaybackEvent) -> Void,
    reportLater: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) {
    isInGraph = inGraph
    self.takes = takes
    self.deferredWork = deferredWork
    self.report = report
    self.reportLater = reportLater
  }

  /// All units in the mix, each port before the sounds of its zones.
  var mixPorts: [MixPort] { ports.flatMap(\.mixPorts) }

  /// Lets the levels of the units in the mix be read.
  func publishLevels() {
    for port in ports { port.played.setMixPorts(port.mixPorts) }
  }

  /// Whether any port needs the device.
  var areWanted: Bool { ports.contains(where: isWanted) }

  private func isWanted(_ port: Port) -> Bool {
    (isInGraph || port.played.input.hasSources) && !port.hasFailed
  }

  mutating func add(_ port: PlayedPort) { ports.append(Port(played: port)) }

  /// Removes a port, whose units remain in the mix.
  mutating func remove(_ port: PlayedPort) -> Port? {
    index(of: port).map { ports.remove(at: $0) }
  }

  mutating func removeAll() { ports = [] }

  private func index(of port: PlayedPort) -> Int? { ports.firstIndex { $0.played === port } }

  /// Lets units that could not be made be tried again.
  mutating func forgetFailures() {
    for index in ports.indices { ports[index].hasFailed = false }
  }
}

// The units.
extension PlayedPorts {
  /// Makes the units that are needed, and enables the ports that are heard.
  ///
  /// - Parameters:
  ///   - format: The format of the device.
  ///   - capacity: The maximum number of events of the device in a cycle.
  /// - Returns: Whether units were made.
  mutating func makeUnits(_ format: Format, _ capacity: EventCapacity) -> Bool {
    var isChanged = false
    for index in ports.indices {
      if ports[index].mixPort == nil, isWanted(ports[index]) {
        ports[index].mixPort = makeMixPort(ports[index], format, capacity)
        ports[index].hasFailed = ports[index].mixPort == nil
        makeSounds(of: index)
        isChanged = true
      }
      ports[index].mixPort?.isEnabled = isHeard(ports[index])
    }
    return isChanged
  }

  /// Whether a port's own unit is heard on the device. The sounds of its zones always are.
  private func isHeard(_ port: Port) -> Bool { isInGraph || !port.played.input.isHosted }

  private func makeMixPort(
    _ port: Port, _ format: Format, _ capacity: EventCapacity
  ) -> MixPort? {
    do {
      var format = format
      format.inputChannels = port.played.takesAudio ? format.outputChannels : 0
      let unit = try port.played.source.makeUnit(format)
      let mixPort = MixPort(
        unit, port.played.input, format, device: capacity, tap: tap(for: port.played.name))
      addDeferredWork(of: mixPort, named: port.played.name)
      mixPort.begin()
      return mixPort
    } catch {
      report(.failed(port: port.played.name, reason: "\(error)"))
      return nil
    }
  }

  private func tap(for port: String, sound: ZoneSound? = nil) -> TakeTap {
    takes?.tap(for: port, sound: sound) ?? .none
  }

  private func addDeferredWork(of port: MixPort, named name: String) {
    deferredWork.add(for: port.unit) { [reportLater] in
      do {
        try port.performDeferredWork()
      } catch {
        reportLater(.notRenewed(port: name, reason: "\(error)"))
      }
    }
  }

  /// Forgets a unit that is not in the mix any more.
  func end(_ port: MixPort) {
    deferredWork.remove(port.unit)
    takes?.end(port.tap)
  }

  /// Forgets the units of a port, which are not in the mix any more.
  func end(_ port: Port) {
    guard let mixPort = port.mixPort else { return }
    mixPort.end()
    for port in port.mixPorts { end(port) }
    port.played.input.zoneUnits = [:]
  }

  /// Forgets all units, because the device has stopped.
  mutating func endAll() {
    for index in ports.indices {
      end(ports[index])
      ports[index].mixPort = nil
      ports[index].zones.removeAll()
    }
  }
}

// The sounds of zones.
extension PlayedPorts {
  /// Sets the sounds that the zones of a port can play, and makes their units if the port is in the mix.
  mutating func setSounds(_ sounds: [ZoneSound], of port: PlayedPort) {
    guard let index = index(of: port) else { return }
    ports[index].zones.sounds = sounds
    makeSounds(of: index)
  }

  /// Sets which sounds the zones of a port play now.
  mutating func setPlayedSounds(_ numbers: Set<UInt8>, of port: PlayedPort) {
    if let index = index(of: port) { ports[index].zones.played = numbers }
  }

  /// Makes the missing units of a port's zones.
  private mutating func makeSounds(of index: Int) {
    guard let port = ports[index].mixPort else { return }
    for sound in ports[index].zones.missing {
      do {
        let unit = try SilenceableSource(sound.source).makeUnit(port.format)
        let zone = MixPort(
          unit, sound: sound.number, sound.panorama, of: port,
          tap: tap(for: ports[index].played.name, sound: sound))
        zone.isEnabled = true
        addDeferredWork(of: zone, named: ports[index].played.name)
        ports[index].zones.add(zone)
      } catch {
        ports[index].zones.fail(sound)
        report(
          .failed(port: "\(ports[index].played.name), zone '\(sound.name)'", reason: "\(error)"))
      }
    }
    ports[index].played.input.zoneUnits = ports[index].zones.units
  }

  /// Whether there are sounds that no zone can play any more.
  var haveUnusedSounds: Bool { ports.contains(where: \.zones.hasUnused) }

  /// Removes the sounds that no zone can play any more and that are silent, and returns their units, which remain in the
  /// mix.
  mutating func removeUnusedSounds() -> [MixPort] {
    var removed: [MixPort] = []
    for index in ports.indices {
      removed += ports[index].zones.removeUnused()
      ports[index].played.input.zoneUnits = ports[index].zones.units
    }
    return removed
  }
}
