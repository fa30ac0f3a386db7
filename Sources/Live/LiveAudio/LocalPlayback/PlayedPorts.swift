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
  private var maker = UnitMaker()
  /// The format of the device while it is open, and the maximum number of its events in a cycle.
  private var device = (format: Format(), capacity: EventCapacity.none)
  /// Called on any thread when a unit has been made.
  var wake: @Sendable () -> Void {
    get { maker.wake }
    set { maker.wake = newValue }
  }

  struct Port {
    let played: PlayedPort
    /// The port in the mix; `nil` while it is not in the mix.
    var mixPort: MixPort?
    var zones = ZonePorts()
    var hasFailed = false
    /// The sounds that were made after others had begun to play.
    fileprivate var lateSounds: Set<UInt8> = []

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
    maker.remove(ObjectIdentifier(port))
    return index(of: port).map { ports.remove(at: $0) }
  }

  mutating func removeAll() {
    ports = []
    maker.cancel { _ in true }
  }

  private func index(of port: PlayedPort) -> Int? { ports.firstIndex { $0.played === port } }

  /// Lets units that could not be made be tried again.
  mutating func forgetFailures() {
    for index in ports.indices { ports[index].hasFailed = false }
  }
}

// The units.
extension PlayedPorts {
  /// Makes the units that are needed, beside each other, and enables the ports that are heard. ``wake`` is called for a unit that is
  /// made later.
  ///
  /// - Parameters:
  ///   - format: The format of the device.
  ///   - capacity: The maximum number of events of the device in a cycle.
  /// - Returns: Whether units were made.
  mutating func makeUnits(_ format: Format, _ capacity: EventCapacity) -> Bool {
    device = (format, capacity)
    var wanted: [UnitMaker.Key: @Sendable () throws -> any RenderUnit] = [:]
    for port in ports where port.mixPort == nil && isWanted(port) {
      let own = port.played.format(format)
      wanted[port.key(0)] = { [context, source = port.played.source] in
        try source.makeUnit(own, for: context)
      }
    }
    let areUnitsMade = make(wanted)
    for index in ports.indices { ports[index].mixPort?.isEnabled = isHeard(ports[index]) }
    let areSoundsMade = makeSounds()
    return areUnitsMade || areSoundsMade
  }

  /// Makes units, and adds those that have been made.
  ///
  /// - Parameter wanted: The units that are needed. One that is being made is not begun again.
  /// - Returns: Whether an attempt to make a unit has ended.
  private mutating func make(
    _ wanted: [UnitMaker.Key: @Sendable () throws -> any RenderUnit]
  ) -> Bool {
    let begun = wanted.filter { !maker.isMaking($0.key) }
    let made = maker.make(begun)
    for index in ports.indices {
      let port = ObjectIdentifier(ports[index].played)
      for unit in made where unit.key.port == port {
        if unit.key.sound == 0 {
          add(unit.result, to: index)
        } else {
          add(unit.result, asSound: unit.key.sound, to: index, isLate: unit.isLate)
        }
      }
      for key in begun.keys where key.port == port && maker.isMaking(key) {
        report(.slow(port: ports[index].name(of: key.sound)))
      }
    }
    return !made.isEmpty
  }

  /// Adds the unit of a port.
  private mutating func add(_ result: Result<any RenderUnit, any Error>, to index: Int) {
    let played = ports[index].played
    do {
      let mixPort = try MixPort(
        result.get(), played.input, played.format(device.format), device: device.capacity,
        tap: tap(for: played.name))
      addDeferredWork(of: mixPort, named: played.name)
      mixPort.begin()
      ports[index].mixPort = mixPort
    } catch {
      ports[index].hasFailed = true
      report(.failed(port: played.name, reason: "\(error)"))
    }
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
    maker.cancel { _ in true }
    for index in ports.indices {
      end(ports[index])
      ports[index].mixPort = nil
      ports[index].zones.removeAll()
      ports[index].lateSounds = []
    }
  }
}

// The sounds of zones.
extension PlayedPorts {
  /// Sets the sounds that the zones of a port can play, and makes their units if the port is in the mix.
  mutating func setSounds(_ sounds: [ZoneSound], of port: PlayedPort) {
    guard let index = index(of: port) else { return }
    ports[index].zones.sounds = sounds
    let keys = Set(sounds.map { ports[index].key($0.number) } + [ports[index].key(0)])
    maker.cancel { $0.port == ObjectIdentifier(port) && !keys.contains($0) }
    _ = makeSounds()
  }

  /// Sets which sounds the zones of a port play now.
  mutating func setPlayedSounds(_ numbers: Set<UInt8>, of port: PlayedPort) {
    if let index = index(of: port) { ports[index].zones.played = numbers }
  }

  /// Makes the missing sounds of the ports in the mix.
  ///
  /// - Returns: Whether sounds were made.
  private mutating func makeSounds() -> Bool {
    var wanted: [UnitMaker.Key: @Sendable () throws -> any RenderUnit] = [:]
    for port in ports {
      guard let format = port.mixPort?.format else { continue }
      for sound in port.zones.missing {
        wanted[port.key(sound.number)] = { [context] in
          try SilenceableSource(sound.source).makeUnit(format, for: context)
        }
      }
    }
    return make(wanted)
  }

  /// Adds the sound of a zone.
  private mutating func add(
    _ result: Result<any RenderUnit, any Error>, asSound number: UInt8, to index: Int, isLate: Bool
  ) {
    guard let port = ports[index].mixPort,
      let sound = ports[index].zones.missing.first(where: { $0.number == number })
    else { return }
    do {
      let zone = try MixPort(
        result.get(), sound: number, sound.panorama, of: port,
        tap: tap(for: ports[index].played.name, sound: sound))
      zone.isEnabled = true
      addDeferredWork(of: zone, named: ports[index].played.name)
      ports[index].zones.add(zone)
      ports[index].played.input.zoneUnits = ports[index].zones.units
      if isLate { ports[index].lateSounds.insert(number) }
    } catch {
      ports[index].zones.fail(sound)
      report(.failed(port: ports[index].name(of: number), reason: "\(error)"))
    }
  }

  /// Sends the settings of the keyboards to sounds that were made late and are in the mix now.
  mutating func restoreLateSounds() {
    for index in ports.indices where !ports[index].lateSounds.isEmpty {
      ports[index].played.input.restoreSettings(ofSounds: ports[index].lateSounds)
      ports[index].lateSounds = []
    }
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

extension PlayedPorts.Port {
  fileprivate func key(_ sound: UInt8) -> UnitMaker.Key {
    UnitMaker.Key(port: ObjectIdentifier(played), sound: sound)
  }

  /// The name of a sound for the user; of 0, that of the port.
  fileprivate func name(of sound: UInt8) -> String {
    let sound = zones.sounds.first { $0.number == sound }
    return sound.map { "\(played.name), zone '\($0.name)'" } ?? played.name
  }
}
