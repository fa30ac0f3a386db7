import Glibc

/// The version for C programs, in memory that exists as long as the library.
nonisolated(unsafe) package let versionText = UnsafePointer(strdup(portativeVersion)!)
