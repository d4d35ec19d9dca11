import Foundation

@testable import changeset_lint

/// Keeps what is written, or fails with what it is told.
final class MemorySink: ByteSink, @unchecked Sendable {  // everything under the lock
    private let lock = NSLock()
    private var bytes: [UInt8] = []
    private let fault: FileFault?

    init(fault: FileFault? = nil) { self.fault = fault }

    func write(_ bytes: [UInt8]) throws(FileFault) {
        if let fault { throw fault }
        lock.withLock { self.bytes += bytes }
    }

    var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }

    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
