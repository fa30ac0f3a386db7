// A handle of a C program is a retained object, unless its file says otherwise.
extension OpaquePointer {
  /// Makes a handle, which must be freed by ``release(_:)``.
  package init(retaining object: AnyObject) {
    self.init(Unmanaged.passRetained(object).toOpaque())
  }

  package func object<Object: AnyObject>(_: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }
}

/// Frees a handle. Does nothing for `nil`.
package func release(_ handle: OpaquePointer?) {
  guard let handle else { return }
  Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(handle)).release()
}
