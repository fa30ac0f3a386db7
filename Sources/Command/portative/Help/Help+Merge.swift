import Options

extension Help {
  static let merge = HelpText(
    usage: [
      "portative merge [OPTIONS] PART.json …"
    ],
    description: """
      Joins the reports that render --shard I/N --report wrote for the parts of a
      list. The result is the report of the whole list, and the exit code is that of a
      run that renders all of it. Fails if a part is missing.
      """,
    options: MergeOptions.table.entries,
    examples: """
      portative merge -o all.json part.*.json
      """)
}
