import CCLAP
import LocalSystem
import PluginBundles
import RenderCore

/// CLAP's IDs of a plugin's parameters.
///
/// Hosts store them in sessions, so an ID depends only on the parameter's identifier, unless two of them are the same.
struct ParameterIdentifiers {
  /// In the order of the plugin's parameters.
  let all: [UInt32]
  /// The bypass, which is not a parameter of the unit.
  let bypass: UInt32

  init(_ plugin: PluginDescription) {
    var used: Set<UInt32> = [CLAP_INVALID_ID]
    func add(_ identifier: String) -> UInt32 {
      var hash = identifier.fnvHash
      while !used.insert(hash).inserted { hash &+= 1 }
      return hash
    }
    // A unit's identifiers have no colon.
    bypass = add("portative:bypass")
    all = plugin.parameters.parameters.map { add($0.identifier) }
  }

  /// Returns the index of a parameter; `nil` if there is none, and for the bypass.
  func index(of identifier: UInt32) -> Int? { all.firstIndex(of: identifier) }
}
