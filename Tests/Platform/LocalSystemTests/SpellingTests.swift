import LocalSystem
import Testing

@Test(arguments: [
  ("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("kitten", "sitting", 3),
  ("render", "rendre", 1), ("soundfont", "sondfont", 1), ("ca", "abc", 3),
])
func `counts the letters to change`(first: String, second: String, distance: Int) {
  #expect(spellingDistance(first, second) == distance)
  #expect(spellingDistance(second, first) == distance)
}

@Test func `suggests only near names`() {
  let words = ["--soundfont", "--gain", "--rate"]
  #expect(closest(to: "--sound-font", among: words) == "--soundfont")
  #expect(closest(to: "--gian", among: words) == "--gain")
  #expect(closest(to: "--volume", among: words) == nil)
  #expect(closest(to: "x", among: []) == nil)
}
