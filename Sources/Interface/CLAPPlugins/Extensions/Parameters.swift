import CCLAP
import LocalSystem
import PluginBundles
import PluginCore
import RenderCore

nonisolated(unsafe) let parameters = permanent(
  clap_plugin_params(
    count: { UInt32($0?.instance.parameterCount ?? 0) },
    get_info: { plugin, index, info in
      guard let plugin, let info, let result = plugin.instance.information(at: Int(index)) else {
        return false
      }
      info.pointee = result
      return true
    },
    get_value: { plugin, identifier, value in
      guard let plugin, let value, let result = plugin.instance.value(of: identifier) else {
        return false
      }
      value.pointee = result
      return true
    },
    value_to_text: { plugin, identifier, value, buffer, capacity in
      guard let plugin, let buffer, capacity > 0, value.isFinite,
        let parameter = plugin.instance.parameter(identifier)
      else { return false }
      write(parameter.text(of: value), to: buffer, capacity: Int(capacity))
      return true
    },
    text_to_value: { plugin, identifier, text, value in
      guard let plugin, let text, let value,
        let result = plugin.instance.parameter(identifier)?.value(ofText: String(cString: text))
      else { return false }
      value.pointee = result
      return true
    },
    flush: flushPlugin))

extension CLAPInstance {
  private var all: ParameterTree { plugin.description.parameters }

  /// The parameters of the unit, and the bypass.
  fileprivate var parameterCount: Int { all.parameters.count + 1 }

  private static let bypass = Parameter(toggle: "bypass", "Bypass", default: false)

  /// Returns a parameter of the unit, or the bypass; `nil` for an unknown ID.
  fileprivate func parameter(_ identifier: UInt32) -> Parameter? {
    if identifier == identifiers.bypass { return Self.bypass }
    return identifiers.index(of: identifier).map { all.parameters[$0] }
  }

  /// Returns the value that the host has set last, or was told.
  fileprivate func value(of identifier: UInt32) -> Double? {
    if identifier == identifiers.bypass { return signals.isBypassed.value == 0 ? 0 : 1 }
    return identifiers.index(of: identifier).map { Double(values[$0]) }
  }

  fileprivate func information(at index: Int) -> clap_param_info? {
    if index == all.parameters.count {
      let flags =
        CLAP_PARAM_IS_BYPASS | CLAP_PARAM_IS_STEPPED | CLAP_PARAM_IS_ENUM
        | CLAP_PARAM_IS_AUTOMATABLE
      return information(Self.bypass, identifiers.bypass, flags, "Bypass", group: "")
    }
    guard all.parameters.indices.contains(index) else { return nil }
    let parameter = all.parameters[index]
    var flags = CLAP_PARAM_IS_AUTOMATABLE
    if parameter.isStepped { flags |= CLAP_PARAM_IS_STEPPED }
    if parameter.isStepped, !parameter.valueNames.isEmpty { flags |= CLAP_PARAM_IS_ENUM }
    let group = all.groups.first { $0.identifier == parameter.group }?.name ?? ""
    return information(
      parameter, identifiers.all[index], flags, all.title(of: parameter), group: group)
  }

  private func information(
    _ parameter: Parameter, _ identifier: UInt32, _ flags: Int, _ name: String, group: String
  ) -> clap_param_info {
    var info = clap_param_info()
    info.id = identifier
    info.flags = clap_param_info_flags(flags)
    write(name, to: &info.name)
    write(group, to: &info.module)
    info.min_value = Double(parameter.minimum)
    info.max_value = Double(parameter.maximum)
    info.default_value = Double(parameter.defaultValue)
    return info
  }
}

/// Pages of eight parameters for hardware with knobs: each group has its own.
nonisolated(unsafe) let remoteControls = permanent(
  clap_plugin_remote_controls(
    count: { UInt32($0?.instance.pages.count ?? 0) },
    get: { plugin, index, page in
      guard let plugin, let page else { return false }
      let pages = plugin.instance.pages
      guard pages.indices.contains(Int(index)) else { return false }
      let source = pages[Int(index)]
      var result = clap_remote_controls_page()
      write("Portative", to: &result.section_name)
      result.page_id = index
      write(source.name, to: &result.page_name)
      withUnsafeMutableBytes(of: &result.param_ids) { bytes in
        let identifiers = bytes.bindMemory(to: UInt32.self)
        for knob in identifiers.indices {
          identifiers[knob] =
            source.identifiers.indices.contains(knob) ? source.identifiers[knob] : CLAP_INVALID_ID
        }
      }
      page.pointee = result
      return true
    }))

extension CLAPInstance {
  fileprivate var pages: [(name: String, identifiers: [UInt32])] {
    var pages: [(name: String, identifiers: [UInt32])] = []
    let groups = [nil] + all.groups.map { Optional($0) }
    for group in groups {
      let indices = all.parameters.indices.filter { index in
        let known = all.groups.contains { $0.identifier == all.parameters[index].group }
        return group.map { $0.identifier == all.parameters[index].group } ?? !known
      }
      let knobs = Int(CLAP_REMOTE_CONTROLS_COUNT)
      for first in stride(from: 0, to: indices.count, by: knobs) {
        let part = indices[first..<min(first + knobs, indices.count)]
        let name = group?.name ?? "Main"
        pages.append(
          (first == 0 ? name : "\(name) \(first / knobs + 1)", part.map { identifiers.all[$0] }))
      }
    }
    return pages
  }
}
