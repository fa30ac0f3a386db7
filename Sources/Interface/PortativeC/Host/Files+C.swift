public import CPortative
import LocalSystem
import NodeHost
import RenderCore

/// A `portative_files`.
typealias FileList = CList<portative_file>

@_cdecl("portative_files_free")
public func portative_files_free(_ files: OpaquePointer!) { release(files) }

@_cdecl("portative_files_count")
public func portative_files_count(_ files: OpaquePointer!) -> UInt32 {
  files.object(FileList.self).count
}

@_cdecl("portative_files_get")
public func portative_files_get(
  _ files: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_file>! {
  files.object(FileList.self)[index]
}

@_cdecl("portative_connection_files")
public func portative_connection_files(
  _ connection: OpaquePointer!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    let files = FileList(try connection.connectionObject.files()) { file, memory in
      portative_file(
        identifier: memory.string(file.identifier), name: memory.string(file.name),
        path: memory.string(file.file.path), hash: memory.string(orNil: file.file.hash))
    }
    return OpaquePointer(retaining: files)
  }
}

@_cdecl("portative_connection_set_file")
public func portative_connection_set_file(
  _ connection: OpaquePointer!, _ identifier: UnsafePointer<CChar>!,
  _ path: UnsafePointer<CChar>!, _ hash: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> CInt {
  status(error) {
    let file = FileReference(path: String(cString: path), hash: hash.map { String(cString: $0) })
    try connection.connectionObject.setFile(String(cString: identifier), to: file)
  }
}
