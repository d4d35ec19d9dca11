import CZlib

/// Reads a gzip stream as it comes, whose end need not.
// Confined to whoever has it.
package final class InflateStream: @unchecked Sendable {
    // On the heap, since zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// What came is no gzip.
    package struct Fault: Error {
        /// zlib's number of it.
        package let code: Int32
    }

    /// A stream that has not begun.
    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16 more bits of window ask for gzip's header.
        let size = Int32(MemoryLayout<z_stream>.size)
        let result = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size)
        guard result == Z_OK else { fatalError("zlib cannot begin a stream: error \(result)") }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// What some more bytes say.
    package func read(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        let room = 16 << 10
        let code = input.withUnsafeMutableBufferPointer { input -> Int32 in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                var code = Z_OK
                output += [UInt8](unsafeUninitializedCapacity: room) { space, count in
                    stream.pointee.next_out = space.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    code = inflate(stream, Z_SYNC_FLUSH)
                    count = room - Int(stream.pointee.avail_out)
                }
                // Nothing was left to be said.
                if code == Z_BUF_ERROR { return Z_OK }
                guard code == Z_OK else { return code }
            } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
            return Z_OK
        }
        guard code == Z_OK else { throw Fault(code: code) }
        return output
    }
}
