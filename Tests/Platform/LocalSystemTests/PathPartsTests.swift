import LocalSystem
import Testing

@Test(arguments: [
  ("a/b/c", "a/b/", "c", ["a", "b", "c"]), ("c", "", "c", ["c"]), ("/", "/", "", []),
  ("", "", "", []),
  ("//a//", "//a//", "", ["a"]),
  // Swift treats the slash and the accent as one character.
  ("a/\u{301}b", "a/", "\u{301}b", ["a", "\u{301}b"]),
])
func `a path is split at each slash`(
  path: String, folder: String, name: String, parts: [String]
) {
  #expect(path.folderAndName.folder.unicodeScalars.elementsEqual(folder.unicodeScalars))
  #expect(path.folderAndName.name.unicodeScalars.elementsEqual(name.unicodeScalars))
  #expect(path.pathParts.map(\.platformString) == parts.map(\.platformString))
}
