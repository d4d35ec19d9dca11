import CollectionPublishing
import Foundation
import NIOCore
import Synchronization

/// One message as bytes, made once and shared by all connections that it is written to.
///
/// A value over shared storage: writing it to a connection copies nothing.
final class StreamFrame: Sendable {
    /// Where it leaves a reader.
    let version: PublishedVersion
    /// Whether nothing comes after it.
    let isLast: Bool
    /// The event's text.
    let event: ByteBuffer
    /// The event as a chunk of an HTTP/1.1 response.
    let chunk: ByteBuffer
    /// The same, compressed by itself; made when somebody asks first.
    private let compressed = Mutex<ByteBuffer?>(nil)

    private static let encoder = {
        let encoder = JSONEncoder()
        // In one order, which compresses better.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }()

    /// Makes the bytes; nil where a payload is no text.
    init?(_ message: HubMessage) {
        guard let wire = try? WireMessage(message), let json = try? Self.encoder.encode(wire) else {
            return nil
        }
        version = message.version
        if case .closed = message { isLast = true } else { isLast = false }
        var event = ByteBuffer()
        event.reserveCapacity(json.count + 64)
        event.writeString("id: \(message.version)\ndata: ")
        event.writeBytes(json)
        event.writeString("\n\n")
        self.event = event
        chunk = Self.chunk(of: event)
    }

    /// The event as a chunk, in deflated blocks that refer to nothing before them, for who reads none of the shared
    /// stream yet.
    var compressedChunk: ByteBuffer {
        compressed.withLock { compressed in
            if let compressed { return compressed }
            let stream = DeflateStream()
            let chunk = Self.chunk(of: stream.block(of: event))
            compressed = chunk
            return chunk
        }
    }

    /// Bytes as a chunk of an HTTP/1.1 response; nothing for none, since an empty chunk would be the last one.
    static func chunk(of bytes: ByteBuffer) -> ByteBuffer {
        guard bytes.readableBytes > 0 else { return ByteBuffer() }
        var chunk = ByteBuffer()
        chunk.reserveCapacity(bytes.readableBytes + 12)
        chunk.writeString(String(bytes.readableBytes, radix: 16) + "\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeString("\r\n")
        return chunk
    }
}
