import Glibc

/// The version of Portative.
package let portativeVersion = "1.0.0"

/// The date of the version, as manual pages show it.
package let portativeVersionDate = "November 25, 2026"

/// The version for C programs, in memory that exists as long as the library.
nonisolated(unsafe) package let versionText = UnsafePointer(strdup(portativeVersion)!)
