import Glibc

/// Headers of all responses, as texts of C in memory that is never freed.
///
/// `@unchecked Sendable`: the texts are never changed.
struct WebHeaders: @unchecked Sendable {
  /// Names, each with a colon, and values, alternating; `nil` at the end.
  let texts: UnsafePointer<UnsafePointer<CChar>?>

  init(_ headers: KeyValuePairs<String, String>) {
    let all = headers.flatMap { [$0.key, $0.value] }
    let texts = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: all.count + 1)
    for (index, text) in all.enumerated() {
      (texts + index).initialize(to: UnsafePointer(strdup(text)))
    }
    (texts + all.count).initialize(to: nil)
    self.texts = UnsafePointer(texts)
  }
}
