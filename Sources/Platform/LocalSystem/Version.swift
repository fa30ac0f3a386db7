/// The version of Portative.
package let portativeVersion = "0.1.0"
