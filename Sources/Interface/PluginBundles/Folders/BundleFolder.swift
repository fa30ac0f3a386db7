import CLinux
import Glibc
package import LocalSystem

/// A folder of LV2 bundles, such as `~/.lv2`.
///
/// A bundle is complete or not there, whenever a host looks, and bundles of others are never changed.
package struct BundleFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The bundles that Portative has written, in the order of their names.
  package var bundles: [InstalledBundle] {
    let names = (try? Folder.names(in: path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.compactMap {
      InstalledBundle(at: "\(path)/\($0)")
    }
  }

  /// The result of ``install(_:library:)``.
  package enum Change: String, Sendable {
    case written, replaced, unchanged
  }

  /// Writes a bundle, or replaces the one that Portative has written before.
  ///
  /// - Parameter library: The absolute path of the shared object.
  /// - Throws: ``Failure`` with the kind `outputNotWritten`; the folder is then unchanged. It is also thrown if the
  ///   folder of the bundle, or a file in it, is not Portative's.
  package func install(_ bundle: BundleContent, library: String) throws(Failure) -> Change {
    let target = "\(path)/\(bundle.folderName)"
    try attempt("create", path) { () throws(WholeFile.Failure) in
      try Folder.create(path, mode: 0o777)
    }
    let exists = try checkOwnership(of: target)
    let link = link(to: library)
    if exists, isSame(bundle, link, at: target) { return .unchanged }
    removeRemains()
    let draft = temporaryPath
    do throws(Failure) {
      try attempt("write", draft) { () throws(WholeFile.Failure) in
        try write(bundle, link, to: draft)
      }
      try attempt("write", target) { () throws(WholeFile.Failure) in
        exists ? try exchange(draft, target) : try rename(draft, target)
      }
    } catch {
      Self.delete(draft)
      throw error
    }
    // Now the folder of the bundle that was replaced.
    if exists { Self.delete(draft) }
    return exists ? .replaced : .written
  }

  /// Removes a bundle.
  ///
  /// - Throws: ``Failure`` if it could not be removed, or if it has files that are not Portative's.
  package func remove(_ bundle: InstalledBundle) throws(Failure) {
    _ = try checkOwnership(of: bundle.path)
    let remains = temporaryPath
    // Hosts find all of the bundle or nothing.
    try attempt("remove", bundle.path) { () throws(WholeFile.Failure) in
      try rename(bundle.path, remains)
    }
    Self.delete(remains)
  }

  /// Checks that a bundle can be replaced or removed.
  ///
  /// - Returns: Whether it exists.
  private func checkOwnership(of bundle: String) throws(Failure) -> Bool {
    var status = stat()
    if lstat(bundle.platformString, &status) != 0, errno == ENOENT { return false }
    guard status.st_mode & S_IFMT == S_IFDIR, InstalledBundle.isBundle(bundle) else {
      throw Failure(
        .outputNotWritten,
        "'\(bundle)' was not written by portative, and stays as it is: rename it, or choose "
          + "another folder with --folder")
    }
    let names = (try? Folder.names(in: bundle)) ?? []
    if let other = names.first(where: { !BundleContent.Name.all.contains($0) }) {
      throw Failure(
        .outputNotWritten,
        "'\(bundle)' contains '\(other)', which portative did not write: move it elsewhere")
    }
    return true
  }

  /// Returns the target of the link to the shared object: relative if both folders are in the same folder, as
  /// `PREFIX/lib/lv2` and `PREFIX/lib/portative` are, so that packages can be moved.
  private func link(to library: String) -> String {
    let (folder, name) = library.folderAndName
    guard let folder = resolvedPath(String(folder)), let bundles = resolvedPath(path),
      folder.pathParts.dropLast() == bundles.pathParts.dropLast(), let last = folder.pathParts.last
    else { return library }
    return "../../\(last)/\(name)"
  }

  private func isSame(_ bundle: BundleContent, _ link: String, at path: String) -> Bool {
    let files = bundle.files
    let names = (try? Folder.names(in: path)) ?? []
    guard Set(names) == Set(files.keys).union([BundleContent.Name.library]),
      Self.target(of: "\(path)/\(BundleContent.Name.library)") == link
    else { return false }
    return files.allSatisfy { name, bytes in
      (try? WholeFile.read("\(path)/\(name)", limit: bytes.count)) == bytes
    }
  }

  /// Returns where a link leads; `nil` if there is no link.
  static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link.platformString, &bytes, bytes.count - 1)
    return count < 0 ? nil : String(platformString: bytes)
  }

  private func write(
    _ bundle: BundleContent, _ link: String, to draft: String
  ) throws(WholeFile.Failure) {
    func check(_ result: CInt) throws(WholeFile.Failure) {
      if result != 0 { throw WholeFile.Failure(code: errno) }
    }
    try check(mkdir(draft.platformString, 0o777))
    try check(
      symlink(link.platformString, "\(draft)/\(BundleContent.Name.library)".platformString))
    // The manifest is the last, because hosts look for it in every folder, also in this one.
    let files = bundle.files.sorted { a, b in
      (a.key == BundleContent.Name.manifest ? 1 : 0, a.key)
        < (b.key == BundleContent.Name.manifest ? 1 : 0, b.key)
    }
    for (name, bytes) in files { try WholeFile.write(bytes, to: "\(draft)/\(name)") }
  }

  private func rename(_ old: String, _ new: String) throws(WholeFile.Failure) {
    if Glibc.rename(old.platformString, new.platformString) != 0 {
      throw WholeFile.Failure(code: errno)
    }
  }

  /// Exchanges the names of two folders.
  private func exchange(_ a: String, _ b: String) throws(WholeFile.Failure) {
    if renameat2(AT_FDCWD, a.platformString, AT_FDCWD, b.platformString, UInt32(RENAME_EXCHANGE))
      == 0
    {
      return
    }
    // Some file systems cannot do this, such as NFS.
    guard errno == EINVAL || errno == ENOSYS else { throw WholeFile.Failure(code: errno) }
    let aside = temporaryPath
    try rename(b, aside)
    do throws(WholeFile.Failure) {
      try rename(a, b)
    } catch {
      try? rename(aside, b)
      throw error
    }
    try rename(aside, a)
  }

  /// A hidden name for a folder that is incomplete or to be deleted, with the process ID.
  private var temporaryPath: String {
    "\(path)/.portative-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36)).partial"
  }

  /// Removes the incomplete folders of processes that were killed.
  private func removeRemains() {
    for name in (try? Folder.names(in: path)) ?? [] {
      let parts = name.split(separator: "-")
      guard name.hasPrefix(".portative-"), name.hasSuffix(".partial"), parts.count == 3,
        let process = pid_t(parts[1]), process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      Self.delete("\(path)/\(name)")
    }
  }

  /// Deletes a bundle, except files that are not Portative's.
  private static func delete(_ bundle: String) {
    // The manifest is the first.
    for name in BundleContent.Name.all { unlink("\(bundle)/\(name)".platformString) }
    rmdir(bundle.platformString)
  }

  private func attempt(
    _ verb: String, _ path: String, _ work: () throws(WholeFile.Failure) -> Void
  ) throws(Failure) {
    do throws(WholeFile.Failure) {
      try work()
    } catch {
      throw Failure(
        .outputNotWritten, "cannot \(verb) '\(path)': \(errnoDescription(error.code))")
    }
  }
}
