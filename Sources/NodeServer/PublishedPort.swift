public import Components
public import HostConnection
public import RenderCore
import Synchronization

/// A port that a server publishes.
///
/// Threads: any.
public final class PublishedPort: Sendable {
  public let description: PortDescription
  let source: any RenderUnitSource
  private let standing = Mutex(Standing())

  private struct Standing {
    var session: HostSession?
    var host: Peer?
    var siblings: [String] = []
    var renderer: PortRenderer?
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

  /// Called when a host takes or leaves the port, initializes it, or says who the siblings are. Threads:
  /// one of the server's, which is not realtime.
  public var onChange: (@Sendable (PublishedPort) -> Void)? {
    get { standing.withLock { $0.onChange } }
    set { standing.withLock { $0.onChange = newValue } }
  }

  /// Gives the port to a host.
  ///
  /// - Returns: Who has it already, if anyone.
  func take(_ session: HostSession, host: Peer) -> Peer? {
    let holder = standing.withLock { standing -> Peer? in
      if standing.session != nil { return standing.host }
      standing.session = session
      standing.host = host
      return nil
    }
    if holder == nil { changed() }
    return holder
  }

  func free() {
    standing.withLock { standing in
      standing.session = nil
      standing.host = nil
      standing.siblings = []
      standing.renderer = nil
    }
    changed()
  }

  var session: HostSession? { standing.withLock { $0.session } }

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
    let (host, renderer) = standing.withLock { ($0.host, $0.renderer) }
    return PortReport(port: description, host: host, rendering: renderer?.report)
  }
}

extension PortRenderer {
  fileprivate var report: PortReport.Rendering {
    let seconds = Double(counters.frames) / Double(initialization.sampleRate)
    return PortReport.Rendering(
      sampleRate: initialization.sampleRate, maximumFrames: initialization.maximumFrames,
      isOffline: initialization.isOffline, isRealtime: isRealtime, cycles: counters.cycles,
      load: seconds > 0 ? Double(counters.nanoseconds) / 1e9 / seconds : 0,
      malformedEvents: counters.malformed, belatedEvents: counters.belated, unit: unit.status)
  }
}
