package import Foundation

/// The folder that contains `Package.swift`.
package let repositoryRoot = (1...4).reduce(URL(filePath: #filePath)) { url, _ in
  url.deletingLastPathComponent()
}

/// Returns the path of a file, given its path relative to the repository.
package func repositoryFile(_ path: String) -> String {
  repositoryRoot.appending(path: path).path()
}

/// The path of the bundled SoundFont.
package let bundledSoundFont = repositoryFile("SoundFonts/Portative.sf2")
