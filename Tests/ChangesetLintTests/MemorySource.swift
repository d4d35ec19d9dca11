import Foundation

@testable import changeset_lint

/// Bytes that come in chunks of a fixed size.
final class MemorySource: ByteSource, @unchecked Sendable {  // everything under the lock
    let byteCount: Int?
    private let lock = NSLock()
    private var rest: ArraySlice<UInt8>
    private let chunkSize: Int
    private let fault: FileFault?
    /// Called before every read.
    private let onRead: @Sendable () -> Void

    init(
        _ text: String,
        chunkSize: Int = 4096,
        fault: FileFault? = nil,
        byteCount: Int? = nil,
        onRead: @escaping @Sendable () -> Void = {}
    ) {
        rest = Array(text.utf8)[...]
        self.chunkSize = chunkSize
        self.fault = fault
        self.byteCount = byteCount
        self.onRead = onRead
    }

    func read() throws(FileFault) -> [UInt8] {
        onRead()
        let chunk = lock.withLock {
            let chunk = rest.prefix(chunkSize)
            rest = rest.dropFirst(chunkSize)
            return Array(chunk)
        }
        if chunk.isEmpty, let fault { throw fault }
        return chunk
    }
}
