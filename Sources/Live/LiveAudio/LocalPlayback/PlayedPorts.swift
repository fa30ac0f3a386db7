import Dispatch
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
  /// How the units are used.
  var context = RenderContext()
  /// Called on any thread when a unit has been made.
  var wake: @Sendable () -> Void = {}

  struct Port {
    let played: PlayedPort
    /// The port in the mix; `nil` while it is not in the mix.
    var mixPort: MixPort?
    var zones = ZonePorts()
    var hasFailed = false
    /// Makes the unit.
    fileprivate var making = Recovery<any RenderUnit>()

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
  /// The seconds for which other units wait for those that are being made. A plugin may need longer, or hang.
  private static var longestWait: Double { 1 }

  /// Makes the units that are needed, each on a thread of its own, and enables the ports that are heard. ``wake`` is called for a unit
  /// that is made later.
  ///
  /// - Parameters:
  ///   - format: The format of the device.
  ///   - capacity: The maximum number of events of the device in a cycle.
  /// - Returns: Whether units were made.
  mutating func makeUnits(_ format: Format, _ capacity: EventCapacity) -> Bool {
    let finished = DispatchSemaphore(value: 0)
    let limit = DispatchTime.now() + Self.longestWait
    var (isChanged, begun) = (false, 0)
    for index in ports.indices {
      let port = ports[index]
      if port.mixPort == nil, !port.making.isInProgress, isWanted(port) {
        let own = port.played.format(format)
        ports[index].making.restart(at: MonotonicClock.now) {
          [context, source = port.played.source] in
          try source.makeUnit(own, for: context)
        }
        begun += 1
      }
      if collectUnit(of: index, format, capacity, waking: { finished.signal() }) {
        isChanged = true
      }
    }
    for _ in 0..<begun where finished.wait(timeout: limit) == .timedOut { break }
    for index in ports.indices {
      if collectUnit(of: index, format, capacity) { isChanged = true }
      ports[index].mixPort?.isEnabled = isHeard(ports[index])
    }
    return isChanged
  }

  /// Adds a unit that has been made.
  ///
  /// - Parameter signal: Called when it has been made, if that begins now.
  /// - Returns: Whether an attempt to make it has ended.
  private mutating func collectUnit(
    of index: Int, _ format: Format, _ capacity: EventCapacity,
    waking signal: @escaping @Sendable () -> Void = {}
  ) -> Bool {
    let outcome = ports[index].making.update(at: MonotonicClock.now) { [wake] in
      signal()
      wake()
    }
    guard let outcome else { return false }
    let played = ports[index].played
    switch outcome {
    case .value(let unit, _):
      let mixPort = MixPort(
        unit, played.input, played.format(format), device: capacity, tap: tap(for: played.name))
      addDeferredWork(of: mixPort, named: played.name)
      mixPort.begin()
      ports[index].mixPort = mixPort
      makeSounds(of: index)
    case .failure(let error):
      ports[index].making.cancel()
      ports[index].hasFailed = true
      report(.failed(port: played.name, reason: "\(error)"))
    }
    return true
  }

  /// Whether a port's own unit is heard on the device. The sounds of its zones always are.
  private func isHeard(_ port: Port) -> Bool { isInGraph || !port.played.input.isHosted }

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
      ports[index].making.cancel()
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
        let unit = try SilenceableSource(sound.source).makeUnit(port.format, for: context)
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

extension PlayedPort {
  /// The format of the port's unit on a device.
  fileprivate func format(_ device: Format) -> Format {
    var format = device
    format.inputChannels = takesAudio ? device.outputChannels : 0
    return format
  }
}
