/// A pointer for a callback, which the library only passes on.
///
/// `@unchecked Sendable`: the caller of the library synchronizes what is behind it.
struct CallbackContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
}
