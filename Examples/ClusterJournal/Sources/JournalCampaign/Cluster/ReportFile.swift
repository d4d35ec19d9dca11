import Foundation

/// The lines of all members in the order in which they were read, for who looks for what went wrong: those of this round
/// and of the one before.
struct ReportFile {
    private let folder: URL
    private var file: FileHandle?

    private var path: URL { folder.appendingPathComponent("reports") }
    private var oldPath: URL { folder.appendingPathComponent("reports-before") }

    init(_ folder: URL) {
        self.folder = folder
        open()
    }

    private mutating func open() {
        _ = FileManager.default.createFile(atPath: path.path, contents: nil)
        file = FileHandle(forWritingAtPath: path.path)
    }

    func add(_ line: String) { file?.write(Data("\(line)\n".utf8)) }

    mutating func rotate() {
        try? file?.close()
        try? FileManager.default.removeItem(at: oldPath)
        try? FileManager.default.moveItem(at: path, to: oldPath)
        open()
    }
}
