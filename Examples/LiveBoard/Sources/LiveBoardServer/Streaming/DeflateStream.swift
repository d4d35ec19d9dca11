import CZlib
import NIOCore

/// A raw deflate stream that ends nowhere: what it gives of each event ends at a whole byte, and can be read at once.
///
/// What it gives may refer back to 32 KiB of what it was given before, so it can be appended only to what was, unless
/// the stream was begun anew in between (``beginAnew()``): then it refers to nothing earlier, and fits behind anything that
/// ends at a whole byte too.
// Confined to whoever has it.
final class DeflateStream: @unchecked Sendable {
    // On the heap, since zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// The header of a gzip file without a name or a time, by unknown system; raw deflate blocks follow.
    static let gzipHeader: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    init(level: Int32 = 6) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative bits of the window ask for raw deflate; 8 is zlib's own default of memory.
        let result = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            -15,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        // It fails for want of memory alone, which stops a Swift process anyway.
        guard result == Z_OK else { fatalError("zlib cannot begin a stream: error \(result)") }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// From now on, nothing refers to what was given before.
    func beginAnew() { deflateReset(stream) }

    /// The blocks of some bytes, with an empty one at the end that makes them whole.
    func block(of bytes: ByteBuffer) -> ByteBuffer {
        var output = ByteBuffer()
        bytes.withUnsafeReadableBytes { input in
            let start = input.bindMemory(to: UInt8.self).baseAddress
            // zlib reads, and its type does not say so.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let room = max(256, Int(stream.pointee.avail_in) / 2 + 64)
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
                    stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_out = UInt32(space.count)
                    deflate(stream, Z_SYNC_FLUSH)
                    return space.count - Int(stream.pointee.avail_out)
                }
                // Where room is left, everything is out.
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
        return output
    }
}
