// A handle is a retained object.
extension OpaquePointer {
  /// Makes a handle, which must be freed by ``release(_:)``.
  init(retaining object: AnyObject) {
    self.init(Unmanaged.passRetained(object).toOpaque())
  }

  func object<Object: AnyObject>(_: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }
}

/// Frees a handle. Does nothing for `nil`.
func release(_ handle: OpaquePointer?) {
  guard let handle else { return }
  ForkGate.pass { Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(handle)).release() }
}
