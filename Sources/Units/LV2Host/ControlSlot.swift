import CLV2
import LV2Atoms
import RenderCore

/// Where a parameter of a plugin goes, for the render thread.
///
/// Realtime: yes, except for creation.
struct ControlSlot: BitwiseCopyable {
  /// The control port; −1 for a property, which messages set.
  let port: Int
  private let key: LV2_URID
  private let form: LV2Control.Form
  private let type: LV2_URID
  /// The plugin's values of a parameter that chooses one of them; `nil` if the values are the same.
  private let choices: UnsafeMutablePointer<Float>?
  private let choiceCount: Int
  /// The plugin's value that it has received; NaN before the first.
  var value = Float.nan

  init(_ control: LV2Control, in memory: RenderMemory) {
    let values = control.values
    choiceCount = values.count
    choices = values.isEmpty ? nil : memory.makeEach(values.count) { values[$0] }
    switch control.target {
    case .port(let index):
      (port, key, form, type) = (index, 0, .float, 0)
    case .property(let uri, let form):
      let name =
        switch form {
        case .int: "Int"
        case .long: "Long"
        case .float: "Float"
        case .double: "Double"
        case .bool: "Bool"
        }
      (port, key, self.form) = (-1, URINumbers.number(of: uri), form)
      type = URINumbers.number(of: LV2URI.atom + name)
    }
  }

  /// Returns the plugin's value of a parameter's value.
  @_noLocks func native(_ value: Float) -> Float {
    guard let choices else { return value }
    return choices[min(choiceCount - 1, max(0, Int(value)))]
  }

  /// Writes a message that sets the property.
  @_noLocks func write(
    _ value: Float, to writer: inout AtomWriter, at frame: Int, _ types: AtomTypes
  ) -> Bool {
    var bits: UInt64
    var count = 4
    switch form {
    case .int, .bool: bits = UInt64(UInt32(bitPattern: Int32(value)))
    case .float: bits = UInt64(value.bitPattern)
    case .long: (bits, count) = (UInt64(bitPattern: Int64(value)), 8)
    case .double: (bits, count) = (Double(value).bitPattern, 8)
    }
    // The first bytes of a little-endian number are its lower half.
    bits = bits.littleEndian
    return withUnsafeBytes(of: &bits) { bytes in
      writer.append(
        property: key, type, UnsafeRawBufferPointer(rebasing: bytes[0..<count]), at: frame)
    }
  }
}
