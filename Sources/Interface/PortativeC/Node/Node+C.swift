public import CPortative
import LocalSystem
import NodeProtocol
import NodeServer

public typealias NodeEventFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_node_event>?) -> Void

extension portative_node_options: SizedStructure {}

@_cdecl("portative_node_create")
public func portative_node_create(
  _ options: UnsafePointer<portative_node_options>!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    let options = portative_node_options(options)
    guard let name = String(options.name) else {
      throw Reason.badArgument("the node has no name: set it")
    }
    let limit = options.eviction_limit
    let node = NodeHandle(Callback(options.on_event, options.context))
    node.server = try NodeServer(
      name: name, icon: String(options.icon), url: String(options.url),
      evictionLimit: limit < 0 ? nil : limit > 0 ? limit : 2
    ) { [weak node] event in node?.report(event) }
    return OpaquePointer(retaining: node)
  }
}

@_cdecl("portative_node_stop")
public func portative_node_stop(_ node: OpaquePointer!) { node.object(NodeHandle.self).stop() }

@_cdecl("portative_node_free")
public func portative_node_free(_ node: OpaquePointer!) {
  guard let node else { return }
  node.object(NodeHandle.self).stop()
  release(node)
}

@_cdecl("portative_node_publish")
public func portative_node_publish(
  _ node: OpaquePointer!, _ port: UnsafePointer<portative_port>!,
  _ functions: UnsafePointer<portative_unit_functions>!, _ source: UnsafeMutableRawPointer!,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    let node = node.object(NodeHandle.self)
    let functions = try CUnitFunctions(functions)
    let units = CUnitSource(functions, source: source)
    return node.handle(
      of: try node.server.publish(
        PortDescription(port), units, maximumHosts: functions.maximumHosts))
  }
}

@_cdecl("portative_node_withdraw")
public func portative_node_withdraw(_ port: OpaquePointer!) {
  let port = port.object(PortHandle.self)
  port.node.server.withdraw(port.port)
}

@_cdecl("portative_node_check")
public func portative_node_check(
  _ node: OpaquePointer!, _ ports: UnsafePointer<UnsafePointer<portative_port>?>!,
  _ count: UInt32, _ error: OpaquePointer!
) -> CInt {
  status(error) {
    try node.object(NodeHandle.self).server.check([PortDescription](ports, count: count))
  }
}

@_cdecl("portative_node_set_sound")
public func portative_node_set_sound(_ node: OpaquePointer!, _ sound: UnsafePointer<CChar>!) {
  node.object(NodeHandle.self).server.sound = String(sound)
}

@_cdecl("portative_node_report")
public func portative_node_report(_ node: OpaquePointer!) -> UnsafeMutablePointer<CChar>! {
  newString((try? json(node.object(NodeHandle.self).server.report)) ?? "{}")
}

@_cdecl("portative_manifest_write")
public func portative_manifest_write(
  _ name: UnsafePointer<CChar>!, _ command: UnsafePointer<UnsafePointer<CChar>?>!,
  _ commandCount: UInt32, _ ports: UnsafePointer<UnsafePointer<portative_port>?>!,
  _ portCount: UInt32, _ folder: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> CInt {
  status(error) {
    let descriptions = try [PortDescription](ports, count: portCount)
    var chains: [ComponentDescription: [String]] = [:]
    for (index, description) in descriptions.enumerated() {
      guard let port = ports[index] else { continue }
      let fields = portative_port(port)
      if fields.node_count == 0 { continue }
      chains[description.component] = [String](fields.nodes, count: fields.node_count)
    }
    let manifest = try NodeManifest(
      name: String(cString: name), command: [String](command, count: commandCount),
      ports: descriptions, chains: chains)
    guard let folder = String(folder) ?? NodeDirectories().manifests.first else {
      throw Reason("badManifest", "there is no folder for manifests: set HOME or XDG_DATA_HOME")
    }
    try manifest.write(to: folder)
  }
}

extension [PortDescription] {
  fileprivate init(
    _ ports: UnsafePointer<UnsafePointer<portative_port>?>?, count: UInt32
  ) throws {
    self = []
    guard let ports else { return }
    for index in 0..<Int(count) {
      if let port = ports[index] { append(try PortDescription(port)) }
    }
  }
}

extension NodeHandle {
  /// Passes an event to the callback.
  fileprivate func report(_ event: ServerEvent) {
    guard let events else { return }
    let memory = CMemory()
    var fields = portative_node_event()
    fields.size = UInt32(MemoryLayout<portative_node_event>.size)
    fields.text = memory.string(event.description)
    switch event {
    case .taken(let port, let host):
      fields.set(PORTATIVE_NODE_TAKEN, handle(of: port), host, memory)
    case .left(let port, let host):
      fields.set(PORTATIVE_NODE_LEFT, handle(of: port), host, memory)
    case .initialized(let port, _, _): fields.set(PORTATIVE_NODE_INITIALIZED, handle(of: port))
    case .parked(let port, let reason):
      fields.set(PORTATIVE_NODE_PARKED, handle(of: port))
      fields.park_reason = portative_park_reason(reason)
    case .hangs(let port): fields.set(PORTATIVE_NODE_HANGS, handle(of: port))
    case .shown(let port, _): fields.set(PORTATIVE_NODE_SHOWN, handle(of: port))
    case .refusedStranger: fields.kind = PORTATIVE_NODE_REFUSED_STRANGER
    case .notAccepted: fields.kind = PORTATIVE_NODE_NOT_ACCEPTED
    }
    withExtendedLifetime(memory) { _ = events.call { $0($1, &fields) } }
  }
}

extension portative_node_event {
  fileprivate mutating func set(_ kind: portative_node_event_kind, _ port: OpaquePointer) {
    self.kind = kind
    self.port = port
  }

  fileprivate mutating func set(
    _ kind: portative_node_event_kind, _ port: OpaquePointer, _ host: Peer, _ memory: CMemory
  ) {
    set(kind, port)
    self.host = memory.string(host.name)
    process_id = host.processID
  }
}
