import CPortative
import Glibc

/// A literal, which exists as long as the library.
private let version: StaticString = "0.1.0"

@c @implementation
public func portative_version() -> UnsafePointer<CChar>! {
  UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func portative_free_string(_ string: UnsafeMutablePointer<CChar>!) { free(string) }
