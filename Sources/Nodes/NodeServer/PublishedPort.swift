public import LiveMIDI
import LocalSystem
public import NodeProtocol
public import RenderCore
import Synchronization

/// A port that a server publishes.
///
/// A port may have several hosts. Each has a unit of its own. The properties for *the host* refer to the first one.
///
/// Threads: any.
public final class PublishedPort: Sendable {
  public let description: PortDescription
  /// The live input of keyboards, which play the unit of one host.
  public let input = LiveInput()
  /// The number of hosts that can have the port at the same time.
  public let maximumHosts: Int
  let source: any RenderUnitSource
  private let playerSettings = PlayerSettings()
  private let state = Mutex(State())

  private struct State {
    /// In the order in which they acquired the port.
    var hosts: [PortHost] = []
    var isWithdrawn = false
    var onChange: (@Sendable (PublishedPort) -> Void)?
    var transportControl: (any TransportControl)?
  }

  /// A host that has the port.
  private struct PortHost {
    let session: HostSession
    let peer: Peer
    var peerNodes: [String] = []
    /// `nil` while the port is not initialized for this host.
    var renderer: PortRenderer?
  }

  init(_ description: PortDescription, _ source: any RenderUnitSource, maximumHosts: Int) {
    self.description = description
    self.source = SilenceableSource(source)
    self.maximumHosts = maximumHosts
  }

  private var first: PortHost? { state.withLock { $0.hosts.first } }

  /// The host that is connected to the port; `nil` if there is none.
  public var host: Peer? { first?.peer }

  /// The connected hosts, in the order in which they acquired the port.
  public var hosts: [Peer] { state.withLock { $0.hosts.map(\.peer) } }

  /// The names of the other ports to which the host is connected.
  public var peerNodes: [String] { first?.peerNodes ?? [] }

  /// The format in which the host renders the port; `nil` while the port is not initialized.
  public var format: Format? { first?.renderer?.initialization.format }

  /// The unit that keyboards play or would play, otherwise the one that the host plays; `nil` without either.
  package var unit: (any RenderUnit)? { input.playedUnit ?? first?.renderer?.unit }

  /// The unit that a host plays, given the number of its session; `nil` if there is no such host, or it plays none.
  func unit(ofHost number: Int) -> (any RenderUnit)? {
    state.withLock { $0.hosts }.first { $0.session.number == number }?.renderer?.unit
  }

  /// Returns a source whose units have what players set on the port while no host plays it.
  ///
  /// - Parameter source: Makes the units that keyboards play without a host.
  package func playerSource(_ source: any RenderUnitSource) -> any RenderUnitSource {
    PlayerSource(source: SilenceableSource(source), settings: playerSettings)
  }

  /// Ends everything that sounds in real time: notes, held keys and pedals, tails, and the songs of hosts that can be
  /// stopped. Settings remain. Hosts that render offline are not affected.
  ///
  /// - Parameter session: The session whose thread calls this, and which therefore cannot answer a command.
  /// - Returns: The errors of units that could not be silenced.
  func silence(for session: HostSession?) -> [any Error] {
    input.silence(at: MonotonicClock.now)
    let hosts = state.withLock { $0.hosts }.filter {
      $0.renderer?.initialization.isOffline == false
    }
    for host in hosts
    where host.session !== session && host.session.supportedCommands.contains(.stop) {
      _ = host.session.command(.stop)
    }
    var units = hosts.compactMap { $0.renderer?.unit }
    if let played = input.playedUnit, !units.contains(where: { $0 === played }) {
      units.append(played)
    }
    units += input.zoneUnits.values
    return units.compactMap { unit -> (any Error)? in
      do {
        try (unit as? any SilenceableUnit)?.silence()
        return nil
      } catch {
        return error
      }
    }
  }

  /// Ends everything that sounds in real time. May take a second for each host, and the time to make its unit again.
  ///
  /// - Returns: The errors of units that could not be silenced.
  package func silence() -> [any Error] { silence(for: nil) }

  /// Acts on a change of settings that was not made by the unit's host: notifies the host, or keeps the settings for
  /// the next unit that keyboards play.
  package func settingsChanged(of unit: any RenderUnit) {
    let hosts = state.withLock { $0.hosts }
    if let host = hosts.first(where: { $0.renderer?.unit === unit }) {
      host.session.notifyOfSettings()
    } else {
      playerSettings.save(unit)
      input.forgetSettings()
      input.passParametersToZones()
    }
  }

  /// Whether a host renders the unit.
  package func isHosted(_ unit: any RenderUnit) -> Bool {
    state.withLock { state in state.hosts.contains { $0.renderer?.unit === unit } }
  }

  /// Creates a unit with the settings of players, as the sound device would play it.
  ///
  /// - Parameter isOver: Returns whether the unit is no longer wanted. Called while it is created.
  package func makePlayerUnit(
    isOver: () -> Bool = { false }
  ) throws(ProtocolError) -> any RenderUnit {
    let unit = try PortSession.makeUnit(toDescribe: self, isOver: isOver)
    playerSettings.restore(to: unit)
    return unit
  }

  /// Whether the port has been withdrawn.
  package var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }

  /// The last transport of the last cycle; `nil` while the host provides none.
  public var transport: Transport? { first?.renderer?.transport.value }

  /// Whether the host provides the position of its song. If not, units that synchronize to beats run freely.
  public var hostProvidesSync: Bool { transport?.provides.contains(.beat) ?? false }

  /// Sends a command to the host's transport, or without a host to ``transportControl``, and waits for the response for
  /// up to 1 s. Threads: any except the server's own.
  public func command(_ command: RemoteCommand) -> RemoteAnswer {
    if let host = first { return host.session.command(command) }
    guard let control = transportControl else { return .noHost }
    guard control.commands.contains(command.kind) else {
      return .ignored(supported: control.commands)
    }
    return control.execute(command.jsonSafe) ? .done : .notNow
  }

  /// The transport that the port follows while no host has it; `nil` for none.
  public var transportControl: (any TransportControl)? {
    get { state.withLock { $0.transportControl } }
    set { state.withLock { $0.transportControl = newValue } }
  }

  /// Asks the host to show its window.
  public func showHost() { first?.session.show() }

  /// Asks a host to open a page in a browser, because this process cannot: the window that the host has asked for.
  ///
  /// - Parameters:
  ///   - link: The link of the page.
  ///   - number: The number of the host, from ``ServerEvent/shown(_:host:)``.
  public func show(page link: String, toHost number: Int) {
    state.withLock { $0.hosts }.first { $0.session.number == number }?.session.show(page: link)
  }

  /// Called when a host acquires, releases, initializes or uninitializes the port, or sends the names of its other
  /// ports. Threads: a thread of the server, which is not realtime.
  public var onChange: (@Sendable (PublishedPort) -> Void)? {
    get { state.withLock { $0.onChange } }
    set { state.withLock { $0.onChange = newValue } }
  }

  /// The result of acquiring a port.
  enum Acquisition {
    case acquired
    /// By as many hosts as are permitted; `by` is the first.
    case inUse(by: Peer)
    case withdrawn
  }

  /// Acquires the port for a host, unless ``maximumHosts`` others have it.
  func acquire(for session: HostSession, host: Peer) -> Acquisition {
    let acquisition = state.withLock { state -> Acquisition in
      if state.isWithdrawn { return .withdrawn }
      if state.hosts.count >= maximumHosts, let holder = state.hosts.first {
        return .inUse(by: holder.peer)
      }
      state.hosts.append(PortHost(session: session, peer: host))
      return .acquired
    }
    if case .acquired = acquisition { changed() }
    return acquisition
  }

  /// Prevents hosts from acquiring the port from now on.
  ///
  /// - Returns: The sessions of the hosts that have the port.
  func withdraw() -> [HostSession] {
    state.withLock { state in
      state.isWithdrawn = true
      return state.hosts.map(\.session)
    }
  }

  /// Whether a host that had the port has disconnected, so that its session has released the port or will do so.
  var isHostGone: Bool {
    let hosts = state.withLock { $0.hosts }
    return hosts.count < maximumHosts || hosts.contains { $0.session.isOver }
  }

  func release(_ session: HostSession) {
    state.withLock { state in state.hosts.removeAll { $0.session === session } }
    changed()
  }

  func setPeerNodes(_ names: [String], of session: HostSession) {
    update(session) { $0.peerNodes = names }
  }

  func setRenderer(_ renderer: PortRenderer?, of session: HostSession) {
    update(session) { $0.renderer = renderer }
  }

  private func update(_ session: HostSession, _ body: (inout PortHost) -> Void) {
    state.withLock { state in
      guard let index = state.hosts.firstIndex(where: { $0.session === session }) else { return }
      body(&state.hosts[index])
    }
    changed()
  }

  private func changed() { onChange?(self) }

  /// The state of the port.
  public var report: PortReport {
    let hosts = state.withLock { $0.hosts }
    let (host, renderer) = (hosts.first, hosts.first?.renderer)
    return PortReport(
      port: description, host: host?.peer, hostCount: hosts.count > 1 ? hosts.count : nil,
      commands: host.map(\.session.supportedCommands) ?? transportControl?.commands,
      players: input.sourceNames,
      song: renderer?.transport.value.map { HostSong($0) },
      rendering: renderer?.report ?? input.playbackStatistics?.report,
      roundTrips: Self.roundTrips(hosts))
  }

  /// The number of hosts whose round trips are reported, so that a report fits into a packet.
  static let reportedRoundTrips = 16

  /// Returns the hosts with the longest round trips, in the order in which they acquired the port.
  private static func roundTrips(_ hosts: [PortHost]) -> [PortReport.RoundTrips]? {
    let all = hosts.compactMap { host in
      host.renderer?.recentRoundTrips.map { PortReport.RoundTrips(host.peer, $0) }
    }
    if all.isEmpty { return nil }
    let longest = all.map(\.longest).sorted(by: >).prefix(reportedRoundTrips).last ?? 0
    return Array(all.filter { $0.longest >= longest }.prefix(reportedRoundTrips))
  }
}

extension PublishedPort {
  /// The changes of the host's transport. A new element arrives when the host starts or stops playing or recording,
  /// changes its loop, tempo or meter, or jumps, and `nil` when it no longer provides a transport.
  ///
  /// The first element is the current transport. The transport is polled fifty times a second while the stream is
  /// iterated. A slow consumer gets only the latest element. Threads: any, and any number of consumers.
  public var transportChanges: AsyncStream<Transport?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let polling = Task { [weak self] in
        var watch = TransportWatch()
        while let port = self, !Task.isCancelled {
          let transport = port.transport
          if watch.hasChanged(to: transport) { continuation.yield(transport) }
          try? await Task.sleep(for: .milliseconds(20))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in polling.cancel() }
    }
  }
}

/// Detects changes of a transport other than its regular advance.
struct TransportWatch {
  private var last: Transport??

  /// The change of the beat in quarter notes that does not count as a jump.
  private static let tolerance = 0.02

  fileprivate mutating func hasChanged(to new: Transport?) -> Bool {
    defer { last = .some(new) }
    guard let last else { return true }
    guard let old = last, let new else { return last != nil || new != nil }
    return old.provides != new.provides || old.isPlaying != new.isPlaying
      || old.isRecording != new.isRecording || old.isLooping != new.isLooping
      || old.meter != new.meter || old.loopStart != new.loopStart || old.loopEnd != new.loopEnd
      || abs(old.tempo - new.tempo) > 1e-6 || hasJumped(from: old, to: new)
  }

  private func hasJumped(from old: Transport, to new: Transport) -> Bool {
    guard new.provides.has(.beat) else { return false }
    if !new.advances { return abs(new.beat - old.beat) > Self.tolerance }
    // The elapsed time is unknown, so only two cases are certain to be jumps: a step back, and an advance of more than
    // one second.
    return new.beat < old.beat - Self.tolerance || new.beat > old.beat + new.tempo / 60
  }
}

/// The settings that players have made on a port while no host plays it: by a command or a panel, and not in the configuration. The
/// units that keyboards play without a host receive it.
///
/// Threads: any.
final class PlayerSettings: Sendable {
  private struct Settings {
    let values: [String: Float]
    let files: [String: FileReference]
    let data: [UInt8]
  }
  private let settings = Mutex<Settings?>(nil)

  /// Keeps the settings of a unit for later ones.
  fileprivate func save(_ unit: any RenderUnit) {
    let new = Settings(
      values: unit.parameters?.all ?? [:], files: unit.files.references, data: unit.save())
    settings.withLock { $0 = new }
  }

  /// Gives a new unit the settings that were saved last. If a file is missing now, its other settings are those of a
  /// new unit, too.
  fileprivate func restore(to unit: any RenderUnit) {
    guard let settings = settings.withLock({ $0 }) else { return }
    do {
      try unit.restore(settings.data, files: settings.files)
      try unit.parameters?.set(settings.values)
    } catch {
      return
    }
  }
}

/// Makes units with the settings of players.
struct PlayerSource: RenderUnitSource {
  let source: any RenderUnitSource
  let settings: PlayerSettings

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    settings.restore(to: unit)
    return unit
  }
}
