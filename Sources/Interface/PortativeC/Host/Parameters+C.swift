public import CPortative
import LocalSystem
import RenderCore

/// A `portative_parameters`.
final class ParametersHandle: Sendable {
  let tree: ParameterTree
  let parameters: CList<portative_parameter>
  let groups: CList<portative_parameter_group>

  init(_ tree: ParameterTree) {
    self.tree = tree
    parameters = CList(tree.parameters, portative_parameter.init)
    groups = CList(tree.groups) { group, memory in
      portative_parameter_group(
        identifier: memory.string(group.identifier), name: memory.string(group.name))
    }
  }

  /// A handle that belongs to the owner of this object.
  var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }
}

@_cdecl("portative_parameters_count")
public func portative_parameters_count(_ parameters: OpaquePointer!) -> UInt32 {
  parameters.object(ParametersHandle.self).parameters.count
}

@_cdecl("portative_parameters_get")
public func portative_parameters_get(
  _ parameters: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_parameter>! {
  parameters.object(ParametersHandle.self).parameters[index]
}

@_cdecl("portative_parameters_index")
public func portative_parameters_index(
  _ parameters: OpaquePointer!, _ identifier: UnsafePointer<CChar>!
) -> Int32 {
  let tree = parameters.object(ParametersHandle.self).tree
  return tree.index(of: String(cString: identifier)).map { Int32($0) } ?? -1
}

@_cdecl("portative_parameters_group_count")
public func portative_parameters_group_count(_ parameters: OpaquePointer!) -> UInt32 {
  parameters.object(ParametersHandle.self).groups.count
}

@_cdecl("portative_parameters_get_group")
public func portative_parameters_get_group(
  _ parameters: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_parameter_group>! {
  parameters.object(ParametersHandle.self).groups[index]
}
