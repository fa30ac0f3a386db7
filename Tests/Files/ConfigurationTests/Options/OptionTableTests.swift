import Configuration
import LocalSystem
import Testing

private struct Values: Equatable {
  var name = ""
  var isLoud = false
  var isQuiet = false
  var output: String?
  var log: String?
}

private let table = OptionTable<Values>(rows: [
  .init(names: ["-n", "--name"], value: "TEXT", help: "a name") { $0.name = $1 },
  .flag("--loud", help: "louder\nthan that", \.isLoud),
  .flag("-q", "--quiet", help: "no word", \.isQuiet),
  .path("--output", value: "FILE", help: "a file", \.output),
  .init(names: ["--log"], optional: "FILE", taking: { $0.hasSuffix(".log") }, help: "a log") {
    $0.log = $1
  },
])

private func parse(_ arguments: String...) throws(Failure) -> (Values, [String]) {
  var values = Values()
  let operands = try table.parse(arguments, into: &values)
  return (values, operands)
}

@Test(arguments: [
  ["-n", "x"], ["-nx"], ["--name", "x"], ["--name=x"],
])
func `takes a value in four spellings`(arguments: [String]) throws {
  var values = Values()
  #expect(try table.parse(["a"] + arguments + ["b"], into: &values) == ["a", "b"])
  #expect(values == Values(name: "x"))
}

@Test
func `a long name after one hyphen is refused, because it could be a short option with a value`() {
  #expect(throws: Failure.usage("'-name' has one hyphen: use --name, or -n 'ame'")) {
    try parse("-name", "x")
  }
  #expect(throws: Failure.usage("'-quiet' has one hyphen: use --quiet, or -q 'uiet'")) {
    try parse("-quiet")
  }
  #expect(throws: Never.self) { try parse("-nnames") }
}

@Test func `a value that may be missing is the next argument only if it can be one`() throws {
  #expect(try parse("--log", "a.log", "b").0.log == "a.log")
  #expect(try parse("--log", "a.log", "b").1 == ["b"])
  #expect(try parse("--log", "b").0.log == "")
  #expect(try parse("--log", "b").1 == ["b"])
  #expect(try parse("--log", "--loud").0 == Values(isLoud: true, log: ""))
  #expect(try parse("--log=b").0.log == "b")
  #expect(try parse("--log").0.log == "")
  #expect(table.help.contains("--log [FILE] "))
}

@Test func `short options may be bundled, the last one with its value`() throws {
  let both = Values(name: "1", isQuiet: true)
  for arguments in [["-qn1"], ["-qn", "1"], ["-q", "-n1"]] {
    var values = Values()
    #expect(try table.parse(arguments + ["a"], into: &values) == ["a"])
    #expect(values == both)
  }
  // The text after an option that takes a value is its value.
  #expect(try parse("-nq").0 == Values(name: "q"))
}

@Test func `accepts operands and values that look like options`() throws {
  #expect(try parse("-n", "-6").0.name == "-6")
  #expect(try parse("--name", "-").0.name == "-")
  #expect(try parse("--name=--loud").0 == Values(name: "--loud"))
  #expect(try parse("--name=").0.name == "")
  #expect(try parse("-", "--", "--loud", "-n").1 == ["-", "--loud", "-n"])
  #expect(try parse("-4", "-0.5").1 == ["-4", "-0.5"])
}

@Test(arguments: [
  (["--nmae", "x"], "unknown option --nmae: did you mean --name?"),
  (["--xyzzy"], "unknown option --xyzzy; see --help"),
  (["-x"], "unknown option -x; see --help"),
  (["-qx"], "unknown option -x; see --help"),
  (["-qn"], "--name needs a value: --name TEXT"),
  (["-qq"], "--quiet is given twice: leave one out"),
  (["--name"], "--name needs a value: --name TEXT"),
  (["-n", "--loud"], "--name needs a value: --name TEXT"),
  (["--loud=yes"], "--loud takes no value, but got 'yes'"),
  (["--name", "a", "-n", "b"], "--name is given twice: leave one out"),
  (["--output="], "--output needs a path, but it is empty"),
])
func `refuses with one sentence and the remedy`(arguments: [String], message: String) {
  var values = Values()
  let failure = #expect(throws: Failure.self) { try table.parse(arguments, into: &values) }
  #expect(failure?.kind == .usage && failure?.message == message)
}

@Test func `help lines up`() {
  #expect(
    table.help == """
        -n, --name TEXT    a name
            --loud         louder
                           than that
        -q, --quiet        no word
            --output FILE  a file
            --log [FILE]   a log
      """)
}
