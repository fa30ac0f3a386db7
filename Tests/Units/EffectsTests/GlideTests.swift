import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct GlideTests {
  @Test func `a glide has equal steps and ends exactly at its target`() {
    var glide = Glide(1)
    glide.start(to: 2, frames: 4)
    #expect((0..<6).map { _ in glide.next() } == [1, 1.25, 1.5, 1.75, 2, 2])
    #expect(glide.isOver)
    glide.start(to: 0.1, frames: 3)
    _ = (0..<3).map { _ in glide.next() }
    #expect(glide.value == 0.1)
  }

  @Test func `a new target is approached from the current value`() {
    var glide = Glide(0)
    glide.start(to: 8, frames: 8)
    _ = (0..<4).map { _ in glide.next() }
    glide.start(to: 0, frames: 2)
    #expect((0..<4).map { _ in glide.next() } == [4, 2, 0, 0])
  }

  @Test func `a glide of 0 frames is immediate`() {
    var glide = Glide(3)
    glide.start(to: 5, frames: 0)
    #expect(glide.isOver && glide.next() == 5)
  }
}
