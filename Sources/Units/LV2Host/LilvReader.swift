import CLilv
import LV2Atoms

/// lilv's world of plugins, in Swift's terms.
///
/// Threads: one at a time. `@unchecked Sendable`: a lock gives it to one thread.
struct LilvReader: @unchecked Sendable {
  let functions: UnsafePointer<lilv_library>
  let world: OpaquePointer

  /// A value of a description.
  struct Value {
    /// The URI, or the text of another value.
    let text: String
    let isURI: Bool
    /// The value of a number.
    let number: Float?
  }

  /// The plugins, which exist as long as the world.
  var plugins: [OpaquePointer] {
    let all = functions.pointee.world_get_all_plugins(world)
    var plugins: [OpaquePointer] = []
    var place = functions.pointee.plugins_begin(all)
    while !functions.pointee.plugins_is_end(all, place) {
      if let plugin = functions.pointee.plugins_get(all, place) { plugins.append(plugin) }
      place = functions.pointee.plugins_next(all, place)
    }
    return plugins
  }

  func plugin(_ uri: String) throws(LV2Error) -> OpaquePointer {
    let all = functions.pointee.world_get_all_plugins(world)
    // A text that is no URI makes lilv write a message.
    if uri.contains(":"), !uri.contains(" ") {
      if let found = withNode(uri, { functions.pointee.plugins_get_by_uri(all, $0) }) {
        return found
      }
      if let type = value(of: uri, LV2URI.type)?.text { throw .noPlugin(uri, type: type) }
    }
    let words = uri.lowercased().split { !$0.isLetter && !$0.isNumber }.suffix(2)
    let similar = plugins.map(self.uri(of:)).filter { known in
      let known = known.lowercased()
      return !words.isEmpty && words.allSatisfy { known.contains($0) }
    }
    throw .notInstalled(uri, Array(similar.sorted().prefix(3)))
  }

  func uri(of plugin: OpaquePointer) -> String {
    functions.pointee.plugin_get_uri(plugin).map { value($0).text } ?? ""
  }

  /// Calls `body` with a node for a URI.
  func withNode<Result>(_ uri: String, _ body: (OpaquePointer?) -> Result) -> Result {
    let node = functions.pointee.new_uri(world, uri)
    defer { functions.pointee.node_free(node) }
    return body(node)
  }

  /// Returns the values of a list of nodes.
  ///
  /// - Parameter frees: Whether the list is the caller's, and is freed here.
  func values(_ nodes: UnsafeRawPointer?, frees: Bool = true) -> [Value] {
    guard let nodes else { return [] }
    defer { if frees { functions.pointee.nodes_free(UnsafeMutableRawPointer(mutating: nodes)) } }
    var values: [Value] = []
    var place = functions.pointee.nodes_begin(nodes)
    while !functions.pointee.nodes_is_end(nodes, place) {
      if let node = functions.pointee.nodes_get(nodes, place) { values.append(value(node)) }
      place = functions.pointee.nodes_next(nodes, place)
    }
    return values
  }

  /// Returns the value of a node.
  func value(_ node: OpaquePointer) -> Value {
    let isNumber = functions.pointee.node_is_float(node) || functions.pointee.node_is_int(node)
    let isURI = functions.pointee.node_is_uri(node)
    return Value(
      text: functions.pointee.node_as_string(node).map { String(cString: $0) } ?? "",
      isURI: isURI, number: isNumber ? functions.pointee.node_as_float(node) : nil)
  }

  /// Returns the path of a file by its URI; empty for another URI.
  func path(_ node: OpaquePointer) -> String {
    guard let path = functions.pointee.file_uri_parse(value(node).text, nil) else { return "" }
    defer { functions.pointee.free(path) }
    return String(cString: path)
  }

  /// Returns the value of a node that is the caller's, and frees the node.
  func take(_ node: OpaquePointer?) -> Value? {
    guard let node else { return nil }
    defer { functions.pointee.node_free(node) }
    return value(node)
  }

  /// Returns a value of anything that has a URI.
  func value(of subject: String, _ predicate: String) -> Value? {
    withNode(subject) { subject in
      withNode(predicate) { predicate in
        take(functions.pointee.world_get(world, subject, predicate, nil))
      }
    }
  }
}
