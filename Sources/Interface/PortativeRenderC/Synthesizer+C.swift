import BatchRenderer
import CPortativeRender
import Configuration
import Glibc
import LocalSystem

@_cdecl("portative_synthesizer_create")
public func portative_synthesizer_create(
  _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let arguments = (0..<count).compactMap { options[$0].map { String(cString: $0) } }
      return OpaquePointer(retaining: try ArraySynthesizer(arguments: arguments))
    }
  }
}

@_cdecl("portative_synthesizer_free")
public func portative_synthesizer_free(_ synthesizer: OpaquePointer!) { release(synthesizer) }

@_cdecl("portative_synthesizer_sample_rate")
public func portative_synthesizer_sample_rate(_ synthesizer: OpaquePointer!) -> Int32 {
  Int32(synthesizer.object(ArraySynthesizer.self).sampleRate)
}

@_cdecl("portative_synthesizer_soundfont")
public func portative_synthesizer_soundfont(
  _ synthesizer: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  strdup(synthesizer.object(ArraySynthesizer.self).found.path)
}

@_cdecl("portative_synthesizer_render")
public func portative_synthesizer_render(
  _ synthesizer: OpaquePointer!, _ song: OpaquePointer!, _ labels: Bool, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let synthesizer = synthesizer.object(ArraySynthesizer.self)
      let song = song.object(SongHandle.self)
      let stream = try synthesizer.stream(song.song, name: song.name, hasLabels: labels)
      return OpaquePointer(
        retaining: RenderingHandle(
          stream, synthesizer, name: song.name, hasBeats: song.hasBeats))
    }
  }
}
