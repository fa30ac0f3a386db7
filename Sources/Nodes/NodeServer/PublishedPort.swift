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
  /// The live input of keyboards that play the port.
  public let input = LiveInput()
  let source: any RenderUnitSource
  private let state = Mutex(State())

  private struct State {
    var session: HostSession?
    var host: Peer?
    var peerNodes: [String] = []
    var renderer: PortRenderer?
    var isWithdrawn = false
    var onChange: (@Sendable (PublishedPort) -> Void)?
  }

  init(_ description: PortDescription, _ source: any RenderUnitSource) {
    self.description = description
    self.source = source
  }

  /// The host that is connected to the port; `nil` if there is none.
  public var host: Peer? { state.withLock { $0.host } }

  /// The names of the other ports to which the host is connected.
  public var peerNodes: [String] { state.withLock { $0.peerNodes } }

  /// The format in which the host renders the port; `nil` while the port is not initialized.
  public var format: Format? { state.withLock { $0.renderer?.initialization.format } }

  /// The unit that the host plays; `nil` while the port is not initialized.
  var unit: (any RenderUnit)? { state.withLock { $0.renderer?.unit } }

  /// The last transport of the last cycle; `nil` while the host provides none.
  public var transport: Transport? { state.withLock { $0.renderer }?.transport.value }

  /// Whether the host provides the position of its song. If not, units that synchronize to beats run freely.
  public var hostProvidesSync: Bool { transport?.provides.contains(.beat) ?? false }

  /// Sends a command to the host's transport, and waits for the response for up to 1 s. Threads: any except the
  /// server's own.
  public func command(_ command: RemoteCommand) -> RemoteAnswer {
    guard let session = state.withLock({ $0.session }) else { return .noHost }
    return session.command(command)
  }

  /// Asks the host to show its window.
  public func showHost() { state.withLock { $0.session }?.show() }

  /// Called when a host acquires, releases, initializes or uninitializes the port, or sends the names of its other
  /// ports. Threads: a thread of the server, which is not realtime.
  public var onChange: (@Sendable (PublishedPort) -> Void)? {
    get { state.withLock { $0.onChange } }
    set { state.withLock { $0.onChange = newValue } }
  }

  /// The result of acquiring a port.
  enum Acquisition {
    case acquired
    case inUse(by: Peer)
    case withdrawn
  }

  /// Acquires the port for a host, unless another host has it.
  func acquire(for session: HostSession, host: Peer) -> Acquisition {
    let acquisition = state.withLock { state -> Acquisition in
      if state.isWithdrawn { return .withdrawn }
      if state.session != nil, let holder = state.host { return .inUse(by: holder) }
      state.session = session
      state.host = host
      return .acquired
    }
    if case .acquired = acquisition { changed() }
    return acquisition
  }

  /// Prevents hosts from acquiring the port from now on.
  ///
  /// - Returns: The session of the host that has the port, if any.
  func withdraw() -> HostSession? {
    state.withLock { state in
      state.isWithdrawn = true
      return state.session
    }
  }

  /// Whether the host that has the port has disconnected, so that its session will release the port.
  var isHostGone: Bool { state.withLock { $0.session }?.isOver ?? true }

  func release() {
    state.withLock { state in
      state.session = nil
      state.host = nil
      state.peerNodes = []
      state.renderer = nil
    }
    changed()
  }

  func setPeerNodes(_ names: [String]) {
    state.withLock { $0.peerNodes = names }
    changed()
  }

  func setRenderer(_ renderer: PortRenderer?) {
    state.withLock { $0.renderer = renderer }
    changed()
  }

  private func changed() { onChange?(self) }

  /// The state of the port.
  public var report: PortReport {
    let (host, session, renderer) = state.withLock { ($0.host, $0.session, $0.renderer) }
    return PortReport(
      port: description, host: host, commands: session?.supportedCommands,
      players: input.sourceNames,
      song: renderer?.transport.value.map { HostSong($0) },
      rendering: renderer?.report ?? input.playbackStatistics?.report)
  }
}

extension PortRenderer {
  fileprivate var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: initialization.sampleRate, maximumFrames: initialization.maximumFrames,
      isOffline: initialization.isOffline, isRealtime: scheduling.isRealtime,
      cycles: counters.cycles,
      load: counters.load(sampleRate: initialization.sampleRate),
      malformedEvents: counters.malformed, belatedEvents: counters.late,
      unsentEvents: counters.droppedOutput, invalidSamples: invalidSamples.output,
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

extension PlaybackStatistics {
  fileprivate var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: format.sampleRate, maximumFrames: format.maximumFrames, isOffline: false,
      isRealtime: nil, cycles: cycles, load: load, malformedEvents: 0, belatedEvents: 0,
      unsentEvents: 0, unit: unit)
  }
}
