import CPortative
import Glibc
import LocalSystem

@c @implementation
public func portative_version() -> UnsafePointer<CChar>! { versionText }

@c @implementation
public func portative_free_string(_ string: UnsafeMutablePointer<CChar>!) { free(string) }
