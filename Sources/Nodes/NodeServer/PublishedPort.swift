public import LiveMIDI
public import NodeDirectory
public import NodeProtocol
public import RenderCore
import Synchronization
import Threads

/// A port that a server publishes.
///
/// Threads: any.
public final class PublishedPort: Sendable {
  public let description: PortDescription
  /// Where keyboards play into it.
  public let input = LiveInput()
  let source: any RenderUnitSource
  private let standing = Mutex(Standing())

  private struct Standing {
    var session: HostSession?
    var host: Peer?
    var siblings: [String] = []
    var renderer: PortRenderer?
    var isWithdrawn = false
    var onChange: (@Sendable (PublishedPort) -> Void)?
  }

  init(_ description: PortDescription, _ source: any RenderUnitSource) {
    self.description = description
    self.source = source
  }

  /// The host that holds it; `nil` while it is free.
  public var host: Peer? { standing.withLock { $0.host } }

  /// The other nodes of the same host, as the host names them.
  public var siblings: [String] { standing.withLock { $0.siblings } }

  /// What it renders with; `nil` while it is not initialized.
  public var format: Format? { standing.withLock { $0.renderer?.initialization.format } }

  /// What its host plays it with; `nil` while it is not initialized.
  var unit: (any RenderUnit)? { standing.withLock { $0.renderer?.unit } }

  /// Where its host's song is; `nil` while no host says. In the last cycle, at its last word.
  public var transport: Transport? { standing.withLock { $0.renderer }?.transport.value }

  /// Whether its host says where its song is. Where it does not, units that need to know run freely.
  public var hostProvidesSync: Bool { transport?.provides.contains(.beat) ?? false }

  /// Asks its host to move its transport, and waits for the answer: for a second at most. Threads: any but the
  /// server's own.
  public func command(_ command: RemoteCommand) -> RemoteAnswer {
    guard let session = standing.withLock({ $0.session }) else { return .noHost }
    return session.command(command)
  }

  /// Asks its host to show itself, as when its user wants to go back there.
  public func showHost() { standing.withLock { $0.session }?.show() }

  /// Called when a host takes or leaves the port, initializes it, or says who the siblings are. Threads:
  /// one of the server's, which is not realtime.
  public var onChange: (@Sendable (PublishedPort) -> Void)? {
    get { standing.withLock { $0.onChange } }
    set { standing.withLock { $0.onChange = newValue } }
  }

  /// What became of a host's wish to have a port.
  enum Taking {
    case taken
    case held(by: Peer)
    case withdrawn
  }

  /// Gives the port to a host, unless another has it.
  func take(_ session: HostSession, host: Peer) -> Taking {
    let taking = standing.withLock { standing -> Taking in
      if standing.isWithdrawn { return .withdrawn }
      if standing.session != nil, let holder = standing.host { return .held(by: holder) }
      standing.session = session
      standing.host = host
      return .taken
    }
    if case .taken = taking { changed() }
    return taking
  }

  /// Lets no host have it any more.
  ///
  /// - Returns: The session of the host that has it.
  func withdraw() -> HostSession? {
    standing.withLock { standing in
      standing.isWithdrawn = true
      return standing.session
    }
  }

  /// Whether the host that has it is gone, and it is about to be free.
  var isBeingLeft: Bool { standing.withLock { $0.session }?.isOver ?? true }

  func free() {
    standing.withLock { standing in
      standing.session = nil
      standing.host = nil
      standing.siblings = []
      standing.renderer = nil
    }
    changed()
  }

  func setSiblings(_ names: [String]) {
    standing.withLock { $0.siblings = names }
    changed()
  }

  func setRenderer(_ renderer: PortRenderer?) {
    standing.withLock { $0.renderer = renderer }
    changed()
  }

  private func changed() { onChange?(self) }

  /// How it is doing.
  public var report: PortReport {
    let (host, session, renderer) = standing.withLock { ($0.host, $0.session, $0.renderer) }
    return PortReport(
      port: description, host: host, commands: session?.takenCommands, players: input.players,
      song: renderer?.transport.value.map { HostSong($0) },
      rendering: renderer?.report ?? input.figures?.report)
  }
}

extension PortRenderer {
  fileprivate var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: initialization.sampleRate, maximumFrames: initialization.maximumFrames,
      isOffline: initialization.isOffline, isRealtime: scheduling.isRealtime,
      cycles: counters.cycles,
      load: counters.load(sampleRate: initialization.sampleRate),
      malformedEvents: counters.malformed, belatedEvents: counters.belated,
      unsentEvents: counters.unsent, invalidSamples: invalidSamples.output,
      invalidInputSamples: invalidSamples.input, unit: unit.status)
  }
}

extension HostSong {
  fileprivate init(_ transport: Transport) {
    self.init(
      isPlaying: transport.isPlaying, isRecording: transport.isRecording,
      isLooping: transport.isLooping, beat: transport.beat, tempo: transport.tempo,
      meter: "\(transport.meter.count)/\(transport.meter.unit)")
  }
}

extension PlayingFigures {
  fileprivate var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: format.sampleRate, maximumFrames: format.maximumFrames, isOffline: false,
      isRealtime: nil, cycles: cycles, load: load, malformedEvents: 0, belatedEvents: 0,
      unsentEvents: 0, unit: unit)
  }
}
