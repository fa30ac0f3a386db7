import Glibc
import LV2Atoms
import LocalSystem

/// A property of a plugin that is no number: the file that it plays, or a text.
package struct LV2TextProperty: Equatable, Sendable {
  /// The last part of the URI, as an identifier; the whole URI of a property that the plugin does not describe.
  package let identifier: String
  package let name: String
  let uri: String
  /// Whether its value is the path of a file.
  package let isFile: Bool
  /// Whether the plugin describes it, and messages set it. Others are set in the plugin's state.
  let isWritable: Bool
}

/// What a property is set to.
struct LV2PropertyValue: Equatable, Sendable {
  let property: LV2TextProperty
  let text: String
}

extension LV2Plugin {
  /// The properties that messages set and that are no numbers.
  package var textProperties: [LV2TextProperty] {
    if eventPort == nil { return [] }
    var names = IdentifierList()
    return properties.compactMap { property in
      let isFile = property.range == LV2URI.atom + "Path"
      if !isFile, property.range != LV2URI.atom + "String" { return nil }
      return LV2TextProperty(
        identifier: names.add(property.identifier), name: property.name, uri: property.uri,
        isFile: isFile, isWritable: true)
    }
  }

  /// Returns values of properties, with absolute paths.
  ///
  /// - Parameter texts: The values, by identifiers or, also of properties that are only in the plugin's state, by URIs.
  /// - Throws: ``LV2Error`` if there is no such property, or a file cannot be read.
  func values(of texts: [String: String]) throws(LV2Error) -> [LV2PropertyValue] {
    var values: [LV2PropertyValue] = []
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      let property = try textProperty(name)
      values.append(
        LV2PropertyValue(property: property, text: property.isFile ? try path(text, name) : text))
    }
    return values
  }

  private func textProperty(_ name: String) throws(LV2Error) -> LV2TextProperty {
    let known = textProperties
    if let property = known.first(where: { $0.identifier == name || $0.uri == name }) {
      return property
    }
    if name.contains(":") {
      return LV2TextProperty(
        identifier: name, name: name, uri: name, isFile: true, isWritable: false)
    }
    throw .unknownProperty(name, plugin: self.name, known: known.map(\.identifier))
  }

  private func path(_ text: String, _ property: String) throws(LV2Error) -> String {
    let path =
      text.hasPrefix("~/")
      ? ProcessEnvironment.current.path(text, relativeTo: "") : absolutePath(text)
    if !text.isEmpty, access(path, R_OK) == 0 { return path }
    let reason = errno == ENOENT ? "there is no such file" : String(cString: strerror(errno))
    throw .unusableFile(property, plugin: name, path: path, reason: reason)
  }
}
