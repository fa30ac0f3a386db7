import BatchRenderer
import CPortativeRender
import Glibc
import LocalSystem
import OfflineRenderer

@_cdecl("portative_rendering_free")
public func portative_rendering_free(_ rendering: OpaquePointer!) { release(rendering) }

@_cdecl("portative_rendering_channels")
public func portative_rendering_channels(_ rendering: OpaquePointer!) -> Int {
  rendering.object(RenderingHandle.self).stream.channels
}

@_cdecl("portative_rendering_stems")
public func portative_rendering_stems(
  _ rendering: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  strdup(rendering.object(RenderingHandle.self).rendered.stems)
}

@_cdecl("portative_rendering_texts")
public func portative_rendering_texts(
  _ rendering: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  let rendering = rendering.object(RenderingHandle.self)
  return rendering.labels.map { strdup(rendering.rendered.texts($0)) }
}

@_cdecl("portative_rendering_limit")
public func portative_rendering_limit(_ rendering: OpaquePointer!) -> Int64 {
  Int64(rendering.object(RenderingHandle.self).stream.maximumFrames)
}

@_cdecl("portative_rendering_start")
public func portative_rendering_start(_ rendering: OpaquePointer!) -> Int64 {
  Int64(rendering.object(RenderingHandle.self).stream.start)
}

@_cdecl("portative_rendering_read")
public func portative_rendering_read(
  _ rendering: OpaquePointer!, _ audio: UnsafeMutablePointer<Float>!, _ stride: Int,
  _ capacity: Int, _ error: OpaquePointer!
) -> Int64 {
  attempt(error) {
    Int64(
      try rendering.object(RenderingHandle.self).read(audio, stride: stride, capacity: capacity))
  } ?? -1
}

@_cdecl("portative_rendering_cancel")
public func portative_rendering_cancel(_ rendering: OpaquePointer!) {
  rendering.object(RenderingHandle.self).cancel()
}

@_cdecl("portative_rendering_report")
public func portative_rendering_report(
  _ rendering: OpaquePointer!, _ error: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  attempt(error) {
    strdup(try rendering.object(RenderingHandle.self).rendered.report())
  } ?? nil
}
