import Foundation
import TestSupport

/// The SoundFonts for tests of laws: two from Debian and the bundled one.
enum Fonts {
  static let fluidR3 = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
  static let timGM6mb = "/usr/share/sounds/sf2/TimGM6mb.sf2"
  static let bundled = bundledSoundFont
  static let all = [fluidR3, timGM6mb, bundled]
}
