import LivePlayer
import RenderCore
import Testing

@Test func `counts of zero are omitted from the notes`() {
  func text(_ status: UnitStatus...) -> String? { NoteFigures(status)?.text }
  #expect(text(UnitStatus("notes", 1), UnitStatus("late notes", 0)) == "1 note")
  #expect(
    text(UnitStatus("notes", 7), UnitStatus("late notes", 2), UnitStatus("stolen notes", 1))
      == "7 notes, 2 late, 1 stolen")
  #expect(text(UnitStatus("echoes", 1)) == nil)
}
