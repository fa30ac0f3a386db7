import CPortative
import NodeProtocol
import RenderCore

/// The functions of a unit in C.
///
/// `@unchecked Sendable`: functions may be called by any thread.
struct CUnitFunctions: @unchecked Sendable {
  let fields: portative_unit_functions
  let make:
    (
      UnsafeMutableRawPointer?, UnsafePointer<portative_format>?,
      UnsafePointer<portative_render_context>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?
  let free: (UnsafeMutableRawPointer?) -> Void
  let render: Renderer.Procedure
  let isReady: Renderer.Procedure?

  var maximumHosts: Int { max(1, Int(fields.maximum_hosts)) }

  /// - Throws: ``Reason`` if a required function is missing.
  init(_ functions: UnsafePointer<portative_unit_functions>) throws(Reason) {
    let fields = portative_unit_functions(functions)
    guard let make = fields.make, let free = fields.free, let render = fields.render else {
      throw .badArgument("a unit has the functions make, free and render: set all three")
    }
    self.fields = fields
    self.make = make
    self.free = free
    self.render = Self.procedure(render)
    isReady = fields.is_ready.map(Self.procedure)
  }

  private typealias CycleFunction =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_cycle>?) -> Bool

  /// Converts a function to the type that render threads call. Both types have the same calling convention.
  private static func procedure(_ function: @escaping CycleFunction) -> Renderer.Procedure {
    unsafeBitCast(function, to: Renderer.Procedure.self)
  }
}

extension portative_unit_functions: SizedStructure {}
extension portative_unit_status: SizedStructure {}

extension CUnitFunctions {
  /// Returns the parameters of a unit.
  ///
  /// - Throws: ``Reason`` if a parameter is invalid.
  func parameters(of unit: UnsafeMutableRawPointer) throws(Reason) -> ParameterTree {
    guard let describe = fields.parameter else { return ParameterTree() }
    var parameters: [Parameter] = []
    var identifiers: Set<String> = []
    while parameters.count < ParameterTree.maximumCount {
      var fields = portative_parameter.make()
      guard describe(unit, UInt32(parameters.count), &fields) else { break }
      let parameter = try Parameter(fields)
      guard identifiers.insert(parameter.identifier).inserted else {
        throw Reason(
          "unitFailed",
          "two of its parameters have the identifier '\(parameter.identifier)': rename one")
      }
      parameters.append(parameter)
    }
    return ParameterTree(parameters, groups: groups(of: unit))
  }

  private func groups(of unit: UnsafeMutableRawPointer) -> [ParameterTree.Group] {
    guard let describe = fields.parameter_group else { return [] }
    var groups: [ParameterTree.Group] = []
    while groups.count < ParameterTree.maximumCount {
      var fields = portative_parameter_group()
      guard describe(unit, UInt32(groups.count), &fields),
        let identifier = String(fields.identifier), let name = String(fields.name)
      else { break }
      groups.append(ParameterTree.Group(identifier, name))
    }
    return groups
  }

  /// The maximum number of presets, which ends the loop for a function that never returns `false`.
  private static var maximumPresets: Int { 65_536 }

  func presets(of unit: UnsafeMutableRawPointer?) -> [Preset] {
    guard let describe = fields.preset else { return [] }
    var presets: [Preset] = []
    while presets.count < Self.maximumPresets {
      var fields = portative_preset.make()
      guard describe(unit, UInt32(presets.count), &fields) else { break }
      let values = [String: Float](fields.values, count: fields.value_count)
      presets.append(Preset(String(fields.name) ?? "", values))
    }
    return presets
  }

  func status(of unit: UnsafeMutableRawPointer?) -> [UnitStatus] {
    guard let describe = fields.status else { return [] }
    var all: [UnitStatus] = []
    while all.count < 64 {
      var fields = portative_unit_status.make()
      guard describe(unit, UInt32(all.count), &fields) else { break }
      all.append(UnitStatus(String(fields.name) ?? "", Int(fields.value)))
    }
    return all
  }
}

extension Parameter {
  /// - Throws: ``Reason`` for an invalid field.
  fileprivate init(_ fields: portative_parameter) throws(Reason) {
    guard let identifier = String(fields.identifier), !identifier.isEmpty else {
      throw Reason("unitFailed", "one of its parameters has no identifier: set it")
    }
    let names = [String](fields.value_names, count: fields.value_name_count)
    let scale: Scale = fields.scale == PORTATIVE_LOGARITHMIC ? .logarithmic : .linear
    guard let unit = Unit(fields.unit), fields.minimum <= fields.maximum,
      let parameter = Parameter(
        checked: identifier, String(fields.name) ?? identifier, fields.minimum...fields.maximum,
        default: fields.default_value, unit: unit, scale: scale, valueNames: names)
    else {
      throw Reason(
        "unitFailed",
        "its parameter '\(identifier)' is invalid: the default must be in the range, the range "
          + "within ±10⁹ and above 0 if it is logarithmic, and value_names complete or NULL")
    }
    self = parameter
  }
}
