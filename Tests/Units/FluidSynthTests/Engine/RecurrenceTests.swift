import Testing

@testable import FluidSynthEngine

@Test func `each note refers to the next equal note, and unique notes have no recurrence`() {
  let recurrence = Recurrence(fingerprints: [7, 5, 7, 9, 5, 7])
  #expect(recurrence.kinds == [0, 1, 0, -1, 1, 0])
  #expect(recurrence.next == [2, 4, 5, -1, -1, -1])
  #expect(recurrence.kindCount == 2)
}
