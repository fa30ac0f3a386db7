import BatchRenderer
import OfflineRenderer

extension PictureFile {
  /// Says, once, that there is nothing to write with.
  static func warnOfFonts(_ jobs: [RenderPlan.Job]) {
    let hasImages = jobs.contains { (try? $0.work.get().options.hasImage) == true }
    if !hasImages || hasFonts { return }
    Terminal.note(
      "warning: there are no fonts here, so pictures have no text: apt install fonts-dejavu-core")
  }
}
