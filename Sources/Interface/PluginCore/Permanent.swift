import Glibc

// What hosts keep pointers to for the life of the process.

/// Allocates a value that is never freed.
package func permanent<Value>(_ value: Value) -> UnsafePointer<Value> {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  memory.initialize(to: value)
  return UnsafePointer(memory)
}

/// Allocates a text that is never freed.
package func permanentText(_ text: String) -> UnsafePointer<CChar> { UnsafePointer(strdup(text)!) }
