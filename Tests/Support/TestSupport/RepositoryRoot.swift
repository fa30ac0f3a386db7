package import Foundation

/// The folder that has `Package.swift`.
package let repositoryRoot = (1...4).reduce(URL(filePath: #filePath)) { url, _ in
  url.deletingLastPathComponent()
}

/// The path of a file of the repository, by its path within it.
package func repositoryFile(_ path: String) -> String {
  repositoryRoot.appending(path: path).path()
}

/// The bundled SoundFont.
package let bundledSoundFont = repositoryFile("SoundFonts/Portative.sf2")
