package import NodeDirectory
package import RenderCore

// The requests of a host to a node.

/// Introduces the host. The first message of a connection.
package struct Hello: Request {
  package static let method = "hello"
  package var `protocol`: VersionRange
  package var features: [String]
  package var peer: Peer

  package init(
    protocol: VersionRange = .supported, features: [String] = Feature.supported, peer: Peer
  ) {
    self.protocol = `protocol`
    self.features = features
    self.peer = peer
  }

  package struct Response: Codable, Equatable, Sendable {
    /// The version that both sides use from now on.
    package var `protocol`: Int
    /// The features that both sides have.
    package var features: [String]
    package var peer: Peer

    package init(protocol: Int, features: [String] = [], peer: Peer) {
      self.protocol = `protocol`
      self.features = features
      self.peer = peer
    }
  }
}

/// Requests the node's ports and their state, without the first `offset` ports.
package struct GetReport: Request {
  package static let method = "report"
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package struct Response: Codable, Equatable, Sendable {
    package var peer: Peer
    /// See ``NodeReport/sound``.
    package var sound: String?
    package var items: [PortReport]
    package var total: Int

    package init(_ report: NodeReport, total: Int) {
      peer = report.node
      sound = report.sound
      items = report.ports
      self.total = total
    }
  }
}

/// Acquires a port.
package struct OpenPort: Request {
  package static let method = "open"
  package var component: ComponentDescription

  package init(component: ComponentDescription) { self.component = component }

  package struct Response: Codable, Equatable, Sendable {
    package var port: PortDescription

    package init(port: PortDescription) { self.port = port }
  }
}

/// Requests the description of a port without acquiring it. The requests for parameters, values and presets then refer
/// to that port.
package struct DescribePort: Request {
  package static let method = "describe"
  package var component: ComponentDescription

  package init(component: ComponentDescription) { self.component = component }

  package struct Response: Codable, Equatable, Sendable {
    package var port: PortDescription
    package var unit: UnitProperties

    package init(port: PortDescription, unit: UnitProperties) {
      self.port = port
      self.unit = unit
    }
  }
}

/// Prepares the acquired port for rendering. The segment's descriptor is attached to the packet.
package struct InitializePort: Request {
  package static let method = "initialize"
  package typealias Response = UnitProperties
  package var sampleRate: Int
  package var inputChannels: Int
  package var outputChannels: Int
  package var maximumFrames: Int
  /// Whether the host waits for each cycle without a deadline.
  package var isOffline: Bool
  /// The SCHED_FIFO priority of the host's render thread, 1…99; 0 for the default scheduler.
  package var priority: Int
  /// The number of a unit of a take, to get a unit with the sound of the zones that it has played; `nil`: the port's own.
  package var takeUnit: Int?

  package init(_ format: Format, isOffline: Bool, priority: Int, takeUnit: Int? = nil) {
    sampleRate = format.sampleRate
    inputChannels = format.inputChannels
    outputChannels = format.outputChannels
    maximumFrames = format.maximumFrames
    self.isOffline = isOffline
    self.priority = priority
    self.takeUnit = takeUnit
  }

  package var format: Format {
    Format(
      sampleRate: sampleRate, inputChannels: inputChannels, outputChannels: outputChannels,
      maximumFrames: maximumFrames)
  }
}

/// The properties of a unit that a host needs before it renders.
package struct UnitProperties: Codable, Equatable, Sendable {
  package var latency: Int
  /// In frames; `nil` if unknown.
  package var tail: Int?
  package var parameterCount: Int

  package init(latency: Int, tail: Int? = nil, parameterCount: Int = 0) {
    self.latency = latency
    self.tail = tail
    self.parameterCount = parameterCount
  }
}

/// Frees the resources of ``InitializePort``.
package struct UninitializePort: Request {
  package static let method = "uninitialize"
  package typealias Response = Done

  package init() {}
}

/// Requests the parameters of the unit, without the first `offset`.
package struct GetParameters: Request {
  package static let method = "parameters"
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package struct Response: Codable, Equatable, Sendable {
    package var items: [Parameter]
    package var total: Int
    /// All groups.
    package var groups: [ParameterTree.Group]

    package init(items: [Parameter], total: Int, groups: [ParameterTree.Group]) {
      self.items = items
      self.total = total
      self.groups = groups
    }
  }
}

/// Requests the values of all parameters, in their order.
package struct GetValues: Request {
  package static let method = "values"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var values: [Float]

    package init(values: [Float]) { self.values = values }
  }
}

/// Sets parameters by identifier: all or, on an error, none.
package struct SetParameters: Request {
  package static let method = "setParameters"
  package typealias Response = Done
  package var values: [String: Float]

  package init(values: [String: Float]) { self.values = values }
}

/// Requests the presets of the unit, without the first `offset`.
package struct GetPresets: Request {
  package static let method = "presets"
  package typealias Response = ItemList<Preset>
  package var offset: Int

  package init(offset: Int) { self.offset = offset }
}

/// Sets the parameters of a preset.
package struct UsePreset: Request {
  package static let method = "usePreset"
  package typealias Response = Done
  /// The preset's index in the list of ``GetPresets``.
  package var index: Int

  package init(index: Int) { self.index = index }
}

/// Requests the files that the unit plays and that a host can replace.
package struct GetFiles: Request {
  package static let method = "files"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var files: [UnitFile]

    package init(files: [UnitFile]) { self.files = files }
  }
}

/// Replaces a file that the unit plays. The unit's other settings remain.
package struct SetFile: Request {
  package static let method = "setFile"
  package typealias Response = Done
  package var identifier: String
  package var file: FileReference

  package init(identifier: String, file: FileReference) {
    self.identifier = identifier
    self.file = file
  }
}

/// Requests the unit's state.
package struct SaveState: Request {
  package static let method = "saveState"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var state: UnitState

    package init(state: UnitState) { self.state = state }
  }
}

/// Restores a saved state of the unit.
package struct RestoreState: Request {
  package static let method = "restoreState"
  package typealias Response = Done
  package var state: UnitState

  package init(state: UnitState) { self.state = state }
}

/// Asks the node to send a transport command to the host that is connected to a port.
package struct ForwardCommand: Request {
  package static let method = "forwardCommand"
  package typealias Response = Done
  package var component: ComponentDescription
  package var command: RemoteCommand

  package init(_ command: RemoteCommand, component: ComponentDescription) {
    self.command = command
    self.component = component
  }
}

/// Ends everything that sounds in real time, on a port or on all of the node.
package struct Panic: Request {
  package static let method = "panic"
  package typealias Response = Done
  /// `nil`: all ports.
  package var component: ComponentDescription?

  package init(component: ComponentDescription? = nil) { self.component = component }
}

/// Requests what keyboards have played on the node's sound device, as a Standard MIDI File, without its first `offset`
/// bytes. The request with offset 0 makes the file; the others read the rest of it.
package struct GetTake: Request {
  package static let method = "take"
  /// `nil`: all ports.
  package var component: ComponentDescription?
  /// The events of so many seconds before now; `nil`: all that the node has kept.
  package var seconds: Double?
  /// Whether the file begins where the instrument began to render, if one instrument played all of it or all began
  /// together, instead of with the first note.
  package var keepsSilence: Bool
  package var offset: Int

  package init(
    component: ComponentDescription? = nil, seconds: Double? = nil, keepsSilence: Bool = false,
    offset: Int = 0
  ) {
    self.component = component
    self.seconds = seconds
    self.keepsSilence = keepsSilence
    self.offset = offset
  }

  package struct Response: Codable, Equatable, Sendable {
    /// Bytes of the file in Base64; empty if no note was played.
    package var data: String
    /// The length of the file in bytes.
    package var total: Int
    package var take: TakeProperties

    package init(data: String, total: Int, take: TakeProperties) {
      self.data = data
      self.total = total
      self.take = take
    }
  }
}
