import Configuration
import Testing

@Test(arguments: [
  (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-1.26, 1, "-1.3"), (9.96, 1, "10.0"), (12.5, 0, "13"),
  (1.005, 2, "1.00"), (-0.25, 2, "-0.25"), (1.04, 2, "1.04"),
])
func `writes decimals`(number: Double, digits: Int, text: String) {
  #expect(decimal(number, digits: digits) == text)
}

@Test(arguments: [
  (0.0, "0:00"), (59.9, "0:59"), (61, "1:01"), (3600, "1:00:00"), (86399, "23:59:59"),
])
func `writes times as a clock does`(seconds: Double, text: String) {
  #expect(clockText(seconds) == text)
}

@Test(
  arguments: [
    (0, "0"), (23.5, "23.5"), (60, "1:00"), (83.5, "1:23.5"), (120.1, "2:00.1"), (3661, "61:01"),
  ] as [(Double, String)])
func `a time is written as options take it`(seconds: Double, text: String) throws {
  #expect(timeText(seconds) == text)
  #expect(try OptionValue.time(text, of: "--from") == seconds)
}
