import CCLAPEntry
import CLAPPlugins

// The functions of `clap_entry`, the only symbol of the shared object.

/// Does nothing, because hosts scan plugins: the bundles are read when a factory is asked for them. Nor is the path used.
@_cdecl("portative_clap_begin") public func portative_clap_begin(
  _ path: UnsafePointer<CChar>?
) -> Bool {
  true
}

/// Does nothing: what hosts have been given remains, because instances may exist that refer to it.
@_cdecl("portative_clap_end") public func portative_clap_end() {}

@_cdecl("portative_clap_factory") public func portative_clap_factory(
  _ identifier: UnsafePointer<CChar>?
) -> UnsafeRawPointer? {
  clapFactory(identifier)
}
