import LocalSystem

/// Frees a handle. Does nothing for `nil`. No other thread may fork meanwhile.
func release(_ handle: OpaquePointer?) { ForkGate.pass { LocalSystem.release(handle) } }
