import BatchRenderer

/// Which library plays, and what was measured of it. The program does not start without one.
enum LibraryCheck {
  static func findings(_ library: RenderReport.Library = .loaded) -> [Finding] {
    [
      .good(
        library.name, ([library.version] + library.traits).joined(separator: "; "))
    ]
  }
}
