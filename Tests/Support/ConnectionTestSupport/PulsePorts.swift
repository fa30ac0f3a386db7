package import NodeProtocol

/// Returns the component of a port whose unit is a ``PulseUnit``.
package func pulses(_ number: Int = 0) -> ComponentDescription {
  try! ComponentDescription(
    type: .instrument, subtype: FourCharacterCode(String(1000 + number)),
    manufacturer: FourCharacterCode("Test"))
}

package func pulsePort(_ number: Int = 0) -> PortDescription {
  try! PortDescription(
    component: pulses(number), name: "Test: Pulses \(number)",
    version: SemanticVersion("1.2.3"))
}
