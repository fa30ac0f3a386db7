extension Set<String> {
  /// Inserts a name that the set does not contain.
  ///
  /// - Parameter separator: What stands between the name and a number, from 2 on, if the set contains the name.
  /// - Returns: The name that was inserted.
  mutating func insertUnique(_ name: String, separator: String) -> String {
    var unique = name
    var number = 2
    while !insert(unique).inserted {
      unique = "\(name)\(separator)\(number)"
      number += 1
    }
    return unique
  }
}
