public import Components
public import RenderCore

/// The version of the control messages. A node answers a host of another version with a refusal.
package let protocolVersion = 1

/// A process at one end of a connection.
public struct Peer: Codable, Equatable, Sendable, CustomStringConvertible {
  /// What people call it.
  public var name: String
  public var processID: Int32
  /// Path of an image.
  public var icon: String?
  /// Where more about it is to be found.
  public var url: String?

  public init(name: String, processID: Int32, icon: String? = nil, url: String? = nil) {
    self.name = name
    self.processID = processID
    self.icon = icon
    self.url = url
  }

  public var description: String { "\(name) (process \(processID))" }
}

/// What a host says.
package enum HostMessage: Codable, Equatable, Sendable {
  /// The first message.
  case hello(protocol: Int, host: Peer)
  /// Asks for what the node publishes and how each port stands, but for the first so many ports.
  case report(from: Int)
  /// Takes a port.
  case open(component: ComponentDescription)
  /// Makes the port ready to render; the segment comes with it, as a descriptor.
  case initialize(Initialization)
  case uninitialize
  /// Frees what ``initialize(_:)`` made, without an answer: the node may be too late for one.
  case park(reason: ParkReason)
  /// The other nodes of this host, without an answer.
  case siblings(names: [String])
}

/// What a node says.
package enum NodeMessage: Codable, Equatable, Sendable {
  case welcome(protocol: Int, node: Peer)
  /// As many ports as a packet holds, of so many in all.
  case report(NodeReport, count: Int)
  case opened(port: PortDescription)
  case initialized(latency: Int)
  case uninitialized
  /// The answer to a message that cannot be followed.
  case refused(Refusal)
  /// Unasked: the port has freed what it rendered with.
  case parked(reason: ParkReason)
  /// Unasked: the port is not published any more; the connection ends.
  case withdrawn
}

/// A message with the number that an answer repeats; unasked messages have 0.
package struct Packet<Message: Codable & Sendable>: Codable, Sendable {
  package var id: UInt32
  package var message: Message

  package init(id: UInt32, _ message: Message) {
    self.id = id
    self.message = message
  }
}

/// How a port is to be initialized.
package struct Initialization: Codable, Equatable, Sendable {
  package var sampleRate: Int
  package var channels: Int
  package var maximumFrames: Int
  /// Whether the host waits as long as it takes.
  package var isOffline: Bool
  /// The priority of the host's render thread under SCHED_FIFO; 0: the ordinary scheduler.
  package var priority: Int

  package init(_ format: Format, isOffline: Bool, priority: Int) {
    sampleRate = format.sampleRate
    channels = format.channels
    maximumFrames = format.maximumFrames
    self.isOffline = isOffline
    self.priority = priority
  }

  package var format: Format {
    Format(sampleRate: sampleRate, channels: channels, maximumFrames: maximumFrames)
  }
}

/// Why a node does not do what it was asked for.
public struct Refusal: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    case versionMismatch
    case noSuchPort
    case portInUse
    case unsupportedFormat
    case unusableMemory
    /// The unit could not be made: a file is missing, for instance.
    case unitFailed
    /// The message is not understood, or out of turn.
    case badMessage
    case tooManyConnections
    case stranger
  }

  public var code: Code
  /// A sentence: the limit, the value found, the remedy.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

/// What a node publishes, and how it is doing.
public struct NodeReport: Codable, Equatable, Sendable {
  public var node: Peer
  public var ports: [PortReport]

  public init(node: Peer, ports: [PortReport]) {
    self.node = node
    self.ports = ports
  }
}

/// One port, and how it is doing.
public struct PortReport: Codable, Equatable, Sendable {
  public var port: PortDescription
  /// Who holds it.
  public var host: Peer?
  /// What it renders with; `nil` while it is not initialized.
  public var rendering: Rendering?

  public struct Rendering: Codable, Equatable, Sendable {
    public var sampleRate: Int
    public var maximumFrames: Int
    public var isOffline: Bool
    /// Whether the render thread has a priority of SCHED_FIFO.
    public var isRealtime: Bool
    public var cycles: Int
    /// Of the time that its cycles last, the part that rendering took: 1 is all of it.
    public var load: Double
    /// Messages from the host that were no messages.
    public var malformedEvents: Int
    /// Events that acted late, because their cycle was missed.
    public var belatedEvents: Int
    /// What the unit says of itself.
    public var unit: [UnitStatus]

    public init(
      sampleRate: Int, maximumFrames: Int, isOffline: Bool, isRealtime: Bool, cycles: Int,
      load: Double, malformedEvents: Int, belatedEvents: Int, unit: [UnitStatus]
    ) {
      self.sampleRate = sampleRate
      self.maximumFrames = maximumFrames
      self.isOffline = isOffline
      self.isRealtime = isRealtime
      self.cycles = cycles
      self.load = load
      self.malformedEvents = malformedEvents
      self.belatedEvents = belatedEvents
      self.unit = unit
    }
  }

  public init(port: PortDescription, host: Peer?, rendering: Rendering?) {
    self.port = port
    self.host = host
    self.rendering = rendering
  }
}
