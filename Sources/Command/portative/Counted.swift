/// A number and what it counts: `1 note`, `2 notes`.
///
/// - Parameter plural: Where an `s` does not make it.
func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}
