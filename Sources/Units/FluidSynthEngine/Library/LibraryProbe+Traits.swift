extension LibraryProbe {
  /// A description of the measured behavior. Libraries that behave alike have equal traits.
  public var traits: [String] {
    var traits = [
      "choke volume \(Self.text(choke.volumeRelease)), modulation "
        + Self.text(choke.modulationRelease)
    ]
    if acceptsDataEntryLSB { traits.append("CC 38 enters data") }
    if hasBendRangeCents { traits.append("bend range in cents") }
    if hasAWE32Parameters { traits.append("AWE32 NRPNs") }
    if glidesOnEveryNote { traits.append("portamento on every note") }
    if hasPortamentoTimeModes { traits.append("portamento time modes") }
    if hasDefaultTuning { traits.append("default tuning") }
    let engines = ReverbEngines.available
    if let standard = engines.standard {
      let others = engines.names.filter { $0 != standard }
      traits.append("reverb engines \(([standard] + others).joined(separator: " "))")
    }
    return traits
  }

  private static func text(_ release: Float?) -> String {
    release.map { "\(Int($0)) timecents" } ?? "unchanged"
  }
}
