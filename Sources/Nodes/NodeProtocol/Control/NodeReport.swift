public import NodeDirectory
public import RenderCore

/// What a node publishes, and how it is doing.
public struct NodeReport: Codable, Equatable, Sendable {
  public var node: Peer
  /// Where ports sound that no host has; `nil` while nothing does.
  public var sound: String?
  public var ports: [PortReport]

  public init(node: Peer, sound: String? = nil, ports: [PortReport]) {
    self.node = node
    self.sound = sound
    self.ports = ports
  }
}

/// One port, and how it is doing.
public struct PortReport: Codable, Equatable, Sendable {
  public var port: PortDescription
  /// Who holds it.
  public var host: Peer?
  /// The commands that its host takes; `nil` where the node does not say.
  public var commands: [RemoteCommand.Kind]?
  /// The names of the keyboards and programs that are connected to it.
  public var players: [String]
  /// Where its host's song is; `nil` where the host does not say.
  public var song: HostSong?
  /// What it renders with; `nil` while it is not initialized.
  public var rendering: Rendering?

  public struct Rendering: Codable, Equatable, Sendable {
    public var sampleRate: Int
    public var maximumFrames: Int
    public var isOffline: Bool
    /// Whether the render thread has a priority of SCHED_FIFO; `nil` of a sound device's thread.
    public var isRealtime: Bool?
    public var cycles: Int
    /// Of the time that its cycles last, the part that rendering took: 1 is all of it.
    public var load: Double
    /// Messages from the host that were no messages.
    public var malformedEvents: Int
    /// Events that acted late, because their cycle was missed.
    public var belatedEvents: Int
    /// Events for the host that found no room, because it did not take those before.
    public var unsentEvents: Int
    /// Samples of the unit that were infinite or NaN, which the host replaced by silence; `nil` where the node does
    /// not say.
    public var invalidSamples: Int?
    /// The same of the host's input, which the node replaced.
    public var invalidInputSamples: Int?
    /// What the unit says of itself.
    public var unit: [UnitStatus]

    public init(
      sampleRate: Int, maximumFrames: Int, isOffline: Bool, isRealtime: Bool?, cycles: Int,
      load: Double, malformedEvents: Int, belatedEvents: Int, unsentEvents: Int,
      invalidSamples: Int? = nil, invalidInputSamples: Int? = nil, unit: [UnitStatus]
    ) {
      self.sampleRate = sampleRate
      self.maximumFrames = maximumFrames
      self.isOffline = isOffline
      self.isRealtime = isRealtime
      self.cycles = cycles
      self.load = load
      self.malformedEvents = malformedEvents
      self.belatedEvents = belatedEvents
      self.unsentEvents = unsentEvents
      self.invalidSamples = invalidSamples
      self.invalidInputSamples = invalidInputSamples
      self.unit = unit
    }
  }

  public init(
    port: PortDescription, host: Peer?, commands: [RemoteCommand.Kind]? = nil,
    players: [String] = [], song: HostSong? = nil, rendering: Rendering?
  ) {
    self.port = port
    self.host = host
    self.commands = commands
    self.players = players
    self.song = song
    self.rendering = rendering
  }
}

/// What a host said of its song last.
public struct HostSong: Codable, Equatable, Sendable {
  public var isPlaying: Bool
  public var isRecording: Bool
  public var isLooping: Bool
  /// Quarter notes from the beginning.
  public var beat: Double
  /// Quarter notes per minute.
  public var tempo: Double
  /// As in `6/8`.
  public var meter: String

  public init(
    isPlaying: Bool, isRecording: Bool, isLooping: Bool, beat: Double, tempo: Double, meter: String
  ) {
    self.isPlaying = isPlaying
    self.isRecording = isRecording
    self.isLooping = isLooping
    self.beat = beat
    self.tempo = tempo
    self.meter = meter
  }
}
