import CPortative
import LocalSystem
import NodeProtocol

@_cdecl("portative_watch_create")
public func portative_watch_create(_ error: OpaquePointer!) -> OpaquePointer! {
  attempt(error) { OpaquePointer(retaining: try ComponentRegistry().changes()) }
}

@_cdecl("portative_watch_free")
public func portative_watch_free(_ watch: OpaquePointer!) { release(watch) }

@_cdecl("portative_watch_descriptor")
public func portative_watch_descriptor(_ watch: OpaquePointer!) -> CInt {
  watch.object(ComponentChanges.self).descriptor
}

@_cdecl("portative_watch_next")
public func portative_watch_next(_ watch: OpaquePointer!) -> OpaquePointer! {
  watch.object(ComponentChanges.self).next().map {
    OpaquePointer(retaining: ComponentsHandle($0))
  }
}

@_cdecl("portative_watch_wait")
public func portative_watch_wait(_ watch: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  // NaN is no limit, too.
  let limit = seconds >= 0 ? Duration(limitedTo: seconds) : nil
  return watch.object(ComponentChanges.self).wait(atMost: limit).map {
    OpaquePointer(retaining: ComponentsHandle($0))
  }
}

extension Duration {
  /// Makes a duration of at most a year, which is zero for NaN and negative numbers.
  init(limitedTo seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, 31_536_000) : 0)
  }
}
