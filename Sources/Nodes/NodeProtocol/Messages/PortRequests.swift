package import RenderCore

// The requests of a host about a port.

/// Acquires a port.
package struct OpenPort: Request {
  package static let method = "open"
  package var component: ComponentDescription

  package init(component: ComponentDescription) { self.component = component }

  package func check(_ response: Response) throws(ProtocolError) {
    try response.port.check(component)
  }

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
  /// The number of a host of the port, to refer to its unit; `nil`: the unit that keyboards play.
  package var host: Int?

  package init(component: ComponentDescription, host: Int? = nil) {
    self.component = component
    self.host = host
  }

  package func check(_ response: Response) throws(ProtocolError) {
    try response.port.check(component)
  }

  package struct Response: Codable, Equatable, Sendable {
    package var port: PortDescription
    package var unit: UnitProperties

    package init(port: PortDescription, unit: UnitProperties) {
      self.port = port
      self.unit = unit
    }
  }
}

extension PortDescription {
  /// Checks that a response describes the port that was requested.
  fileprivate func check(_ requested: ComponentDescription) throws(ProtocolError) {
    if component == requested { return }
    throw ProtocolError(
      .badMessage, "'result.port' must be the port '\(requested)', but is '\(component)'",
      field: "result.port")
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
