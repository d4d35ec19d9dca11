import Foundation

@testable import changeset_lint

/// Keeps what is written, or fails with what it is told.
final class MemorySink: ByteSink, @unchecked Sendable {  // everything under the lock
    let isTerminal: Bool
    var columns: Int?
    private let lock = NSLock()
    private var chunks: [[UInt8]] = []
    private let fault: FileFault?

    init(fault: FileFault? = nil, isTerminal: Bool = false) {
        self.fault = fault
        self.isTerminal = isTerminal
    }

    func write(_ bytes: [UInt8]) throws(FileFault) {
        lock.withLock { chunks.append(bytes) }
        if let fault { throw fault }
    }

    /// How many bytes came with each call, also with those that failed.
    var sizes: [Int] { lock.withLock { chunks.map(\.count) } }

    var text: String {
        fault == nil ? lock.withLock { String(decoding: chunks.joined(), as: UTF8.self) } : ""
    }

    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
