import LocalSystem
import Options

/// A manual page, in the language of `mdoc(7)`.
struct ManualPage {
  /// The name, such as `portative-render`.
  let name: String
  let section: Int
  /// What it describes, in a few words.
  let summary: String
  /// The parts after NAME.
  private(set) var sections: [(title: String, body: String)] = []

  init(_ name: String, section: Int = 1, summary: String) {
    self.name = name
    self.section = section
    self.summary = summary
  }

  /// Adds a section, unless it is empty.
  mutating func add(_ title: String, _ body: String) {
    if !body.isEmpty { sections.append((title, body)) }
  }

  /// The name of the file.
  var file: String { "\(name).\(section)" }

  var text: String {
    let head = """
      .\\" Written by portative, from its table of options.
      .Dd \(portativeVersionDate)
      .Dt \(Mdoc.escaped(name.uppercased())) \(section)
      .Os Portative \(portativeVersion)
      .Sh NAME
      .Nm \(Mdoc.escaped(name))
      .Nd \(Mdoc.sentences(summary))

      """
    return head + sections.map { ".Sh \($0.title)\n\($0.body)\n" }.joined()
  }
}

extension ManualPage {
  /// Options with their values and texts.
  static func list(_ options: [OptionEntry], placeholders: Set<String>) -> String {
    let items = options.map { option -> (String, String) in
      let argument = option.value.map { "Ar \(Mdoc.argument($0))" }
      let value = argument.map { option.isValueOptional ? " Oo \($0) Oc" : " \($0)" } ?? ""
      let names = option.names.map { name in
        // The macro adds one hyphen.
        let flag = Mdoc.escaped(name.dropFirst())
        return "Fl \(flag)\(name == option.names.last ? value : "")"
      }
      let text = Mdoc.sentences(option.help.sentence, placeholders: placeholders)
      return (names.joined(separator: " , "), text)
    }
    return Mdoc.tagged(items)
  }

  static func list(_ codes: [ExitStatus]) -> String {
    Mdoc.list(codes.map { ("\($0.code)", $0.meaning.sentence) })
  }

  /// References to pages, such as `portative-render(1)`.
  static func references(_ pages: [(name: String, section: Int)]) -> String {
    pages.enumerated().map { index, page in
      ".Xr \(Mdoc.escaped(page.name)) \(page.section)" + (index < pages.count - 1 ? " ," : "")
    }.joined(separator: "\n")
  }
}

extension String {
  /// The text, which begins in lower case, as a sentence.
  var sentence: String {
    let isWord = first?.isLowercase == true && !hasPrefix("portative")
    let text = isWord ? first!.uppercased() + dropFirst() : self
    return text.hasSuffix(".") ? text : "\(text)."
  }
}
