import CPortative
import Glibc
import LocalSystem

@_cdecl("portative_version")
public func portative_version() -> UnsafePointer<CChar>! { versionText }

@_cdecl("portative_free_string")
public func portative_free_string(_ string: UnsafeMutablePointer<CChar>!) { free(string) }
