import NIOCore

/// What a stream begins with: the head of the response, and the event that says who the connection is.
enum StreamOpening {
    static func bytes(for id: ConnectionID, isCompressed: Bool) -> ByteBuffer {
        var opening = ByteBuffer()
        opening.writeString(
            """
            HTTP/1.1 200 OK\r
            content-type: text/event-stream\r
            cache-control: no-store\r
            x-accel-buffering: no\r
            x-content-type-options: nosniff\r
            vary: accept-encoding\r
            transfer-encoding: chunked\r\n
            """
        )
        if isCompressed { opening.writeString("content-encoding: gzip\r\n") }
        opening.writeString("\r\n")
        let event = ByteBuffer(
            string: "event: connection\ndata: {\"connection\":\"\(id)\"}\n\n"
        )
        guard isCompressed else {
            opening.writeImmutableBuffer(StreamFrame.chunk(of: event))
            return opening
        }
        var bytes = ByteBuffer(bytes: DeflateStream.gzipHeader)
        bytes.writeImmutableBuffer(DeflateStream().block(of: event))
        opening.writeImmutableBuffer(StreamFrame.chunk(of: bytes))
        return opening
    }
}
