import BatchRenderer
import OfflineRenderer

extension PictureFile {
  /// Warns once if pictures are requested but no fonts are installed.
  static func warnOfFonts(_ jobs: [RenderPlan.Job]) {
    let hasImages = jobs.contains { (try? $0.work.get().options.hasImage) == true }
    if !hasImages || hasFonts { return }
    Terminal.note(
      "warning: there are no fonts here, so pictures have no text: apt install fonts-dejavu-core")
  }
}
