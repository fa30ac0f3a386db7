public import CPortative
import LocalSystem
import NodeProtocol

/// A `portative_components`.
final class ComponentsHandle {
  let components: CList<portative_component>
  let problems: CList<portative_problem>

  /// - Parameter contents: `nil`: no components.
  init(_ contents: ComponentRegistry.Contents?) {
    components = CList(contents?.components ?? [], portative_component.init)
    problems = CList(contents?.problems ?? []) { problem, memory in
      portative_problem(
        size: UInt32(MemoryLayout<portative_problem>.size), reserved: 0,
        path: memory.string(problem.path), message: memory.string(problem.message))
    }
  }
}

extension portative_component {
  fileprivate init(_ component: Component, in memory: CMemory) {
    self = .make()
    port = memory.array([portative_port(component.port, in: memory)])
    node = memory.string(component.node)
    process_id = component.processID ?? 0
    manifest = memory.string(orNil: component.manifest)
    last_use = component.lastUse ?? -1
  }
}

extension Component {
  /// Makes a component of what identifies it.
  ///
  /// - Throws: ``Reason`` for an invalid field.
  init(_ component: UnsafePointer<portative_component>?) throws {
    guard let component else { throw Reason.badArgument("there is no component: pass one") }
    let fields = portative_component(component)
    guard let port = fields.port, let node = String(fields.node) else {
      throw Reason.badArgument("the component has no port or no node: set both")
    }
    self.init(
      port: try PortDescription(
        component: ComponentDescription(portative_port(port)), name: "Unknown: Unknown",
        version: SemanticVersion("0.0.0")), node: node,
      processID: fields.process_id == 0 ? nil : fields.process_id)
  }
}

extension ComponentQuery {
  /// - Throws: ``FourCharacterCodeError``
  fileprivate init(_ query: UnsafePointer<portative_query>?) throws(FourCharacterCodeError) {
    self.init()
    guard let query = query.map({ portative_query($0) }) else { return }
    type = PortType(query.type)
    if let subtype = String(query.subtype) { self.subtype = try FourCharacterCode(subtype) }
    if let manufacturer = String(query.manufacturer) {
      self.manufacturer = try FourCharacterCode(manufacturer)
    }
    name = String(query.name)
  }
}

@_cdecl("portative_components_create")
public func portative_components_create(
  _ query: UnsafePointer<portative_query>!, _ order: portative_component_order
) -> OpaquePointer! {
  let order = order == PORTATIVE_BY_LAST_USE ? ComponentOrder.lastUse : .makerAndName
  let contents = (try? ComponentQuery(query)).map {
    ComponentRegistry().contents(matching: $0, sortedBy: order)
  }
  return OpaquePointer(retaining: ComponentsHandle(contents))
}

@_cdecl("portative_components_free")
public func portative_components_free(_ components: OpaquePointer!) { release(components) }

@_cdecl("portative_components_count")
public func portative_components_count(_ components: OpaquePointer!) -> UInt32 {
  components.object(ComponentsHandle.self).components.count
}

@_cdecl("portative_components_get")
public func portative_components_get(
  _ components: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_component>! {
  components.object(ComponentsHandle.self).components[index]
}

@_cdecl("portative_components_problem_count")
public func portative_components_problem_count(_ components: OpaquePointer!) -> UInt32 {
  components.object(ComponentsHandle.self).problems.count
}

@_cdecl("portative_components_get_problem")
public func portative_components_get_problem(
  _ components: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_problem>! {
  components.object(ComponentsHandle.self).problems[index]
}
