public import RenderCore

/// The ports of a node and their state.
public struct NodeReport: Codable, Equatable, Sendable {
  public var node: Peer
  /// The local output of ports without a host, as shown to users; `nil` while there is none.
  public var sound: String?
  /// The song that the node plays beside the keyboards; `nil`: none is loaded.
  public var song: Song?
  public var ports: [PortReport]

  /// A song, and where it is.
  public struct Song: Codable, Equatable, Sendable {
    public var name: String
    /// In seconds; negative in a count-in.
    public var position: Double
    /// In seconds.
    public var length: Double
    public var isPlaying: Bool

    public init(name: String, position: Double, length: Double, isPlaying: Bool) {
      (self.name, self.position) = (name, position)
      (self.length, self.isPlaying) = (length, isPlaying)
    }
  }

  public init(node: Peer, sound: String? = nil, ports: [PortReport]) {
    self.node = node
    self.sound = sound
    self.ports = ports
  }
}

/// The state of one port.
public struct PortReport: Codable, Equatable, Sendable {
  public var port: PortDescription
  /// The host that is connected to the port; `nil` if there is none. With several hosts, the first, to which the other
  /// properties refer.
  public var host: Peer?
  /// The number of hosts, each of which has a unit of its own; `nil` for fewer than two.
  public var hostCount: Int?
  /// The commands that the host supports; `nil` if the node does not report them.
  public var commands: [RemoteCommand.Kind]?
  /// The names of the keyboards and programs that play the port.
  public var players: [String]
  /// The transport of the host; `nil` if the host does not provide it.
  public var song: HostSong?
  /// The format and statistics of rendering; `nil` while the port is not initialized.
  public var rendering: Rendering?
  /// The round trips of the hosts that state them, at most 16; `nil` if none does.
  public var roundTrips: [RoundTrips]?

  /// A host's round trips of the last 5 s, of at most 4096 cycles: the times from the request of a cycle until the host
  /// has its audio. In microseconds.
  public struct RoundTrips: Codable, Equatable, Sendable {
    /// Without its icon and its URL.
    public var host: Peer
    public var median: Double
    public var longest: Double

    public init(host: Peer, median: Double, longest: Double) {
      self.host = host
      self.median = median
      self.longest = longest
    }
  }

  public struct Rendering: Codable, Equatable, Sendable {
    public var sampleRate: Int
    public var maximumFrames: Int
    public var isOffline: Bool
    /// Whether the render thread has realtime priority; `nil` if the thread belongs to a sound device.
    public var isRealtime: Bool?
    public var cycles: Int
    /// The render time as a fraction of the cycles' duration; 1 is the full duration.
    public var load: Double
    /// Malformed messages from the host.
    public var malformedEvents: Int
    /// Events that acted late because their cycle was missed.
    public var lateEvents: Int
    /// Events for the host that were dropped because the FIFO was full.
    public var droppedEvents: Int
    /// Infinite or NaN samples of the unit's output, which the host replaced by 0; `nil` if the node does not report
    /// them.
    public var invalidSamples: Int?
    /// Infinite or NaN samples of the host's input, which the node replaced by 0; `nil` if the node does not report
    /// them.
    public var invalidInputSamples: Int?
    /// Cycles whose audio came too late to be heard: after the host's deadline, or on a sound device after more than the
    /// duration of the cycle; `nil` if the node does not report them.
    public var lateCycles: Int?
    /// The status values of the unit.
    public var unit: [UnitStatus]

    public init(
      sampleRate: Int, maximumFrames: Int, isOffline: Bool, isRealtime: Bool?, cycles: Int,
      load: Double, malformedEvents: Int, lateEvents: Int, droppedEvents: Int,
      invalidSamples: Int? = nil, invalidInputSamples: Int? = nil,
      lateCycles: Int? = nil, unit: [UnitStatus]
    ) {
      self.sampleRate = sampleRate
      self.maximumFrames = maximumFrames
      self.isOffline = isOffline
      self.isRealtime = isRealtime
      self.cycles = cycles
      self.load = load
      self.malformedEvents = malformedEvents
      self.lateEvents = lateEvents
      self.droppedEvents = droppedEvents
      self.invalidSamples = invalidSamples
      self.invalidInputSamples = invalidInputSamples
      self.lateCycles = lateCycles
      self.unit = unit
    }
  }

  public init(
    port: PortDescription, host: Peer?, hostCount: Int? = nil,
    commands: [RemoteCommand.Kind]? = nil, players: [String] = [],
    song: HostSong? = nil, rendering: Rendering?, roundTrips: [RoundTrips]? = nil
  ) {
    self.port = port
    self.host = host
    self.hostCount = hostCount
    self.commands = commands
    self.players = players
    self.song = song
    self.rendering = rendering
    self.roundTrips = roundTrips
  }
}
