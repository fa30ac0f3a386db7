import CCLAPEntry
import CLAPPlugins

// The functions of `clap_entry`, the only symbol of the shared object.

@_cdecl("portative_clap_begin") public func portative_clap_begin(
  _ path: UnsafePointer<CChar>?
) -> Bool {
  beginCLAP(path)
}

@_cdecl("portative_clap_end") public func portative_clap_end() { endCLAP() }

@_cdecl("portative_clap_factory") public func portative_clap_factory(
  _ identifier: UnsafePointer<CChar>?
) -> UnsafeRawPointer? {
  clapFactory(identifier)
}
