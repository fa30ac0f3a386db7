import BatchRenderer

/// Reports the synthesizer library and the traits measured of it. The program does not start without the library.
enum LibraryCheck {
  static func findings(_ library: RenderReport.Library = .loaded) -> [Finding] {
    [
      .good(
        library.name, ([library.version] + library.traits).joined(separator: "; "))
    ]
  }
}
