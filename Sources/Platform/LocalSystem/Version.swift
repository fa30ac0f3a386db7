/// The version of Portative.
package let portativeVersion = "1.0.0"

/// The date of the version, as manual pages show it.
package let portativeVersionDate = "November 25, 2026"
