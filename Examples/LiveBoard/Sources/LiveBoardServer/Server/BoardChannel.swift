import CoreMetrics
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Hummingbird's HTTP/1.1, but that a request to follow a list is taken over by a ``StreamConnection``.
///
/// What Hummingbird needs for a connection (a task, an asynchronous channel, its buffers) comes with the first request
/// that is answered by it. A connection that only follows a list never has it: some 4 KB instead of 20.
struct BoardChannel: HTTPChannelHandler {
    /// A connection, and what Hummingbird serves it by, once there is something to serve.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let http: EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>?>
    }

    let responder: Responder
    let board: Board

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let http = channel.eventLoop.makePromise(
            of: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>?.self
        )
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let address = channel.remoteAddress?.ipAddress ?? ""
            if let fault = board.limits.admit(address) {
                board.meters.refused(fault.code)
                http.succeed(nil)
                try pipeline.addHandler(RefusalHandler(fault))
                return Value(channel: channel, http: http.futureResult)
            }
            board.meters.connections.increment()
            channel.closeFuture.whenComplete { [board] _ in
                board.limits.release(address)
                board.meters.connections.decrement()
            }
            try setOptions(of: channel)
            let encoder = HTTPResponseEncoder()
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(
                    leftOverBytesStrategy: .dropBytes,
                    limitConfiguration: board.decoderLimits
                )
            )
            let handler = ConnectionHandler(
                board,
                http,
                codec: (encoder, decoder),
                logger: logger
            )
            try pipeline.addHandlers([encoder, decoder, handler])
            return Value(channel: channel, http: http.futureResult)
        }
    }

    /// A peer that is gone without a word is noticed: by probes where nothing is sent, and by what is not acknowledged
    /// where something is.
    private func setOptions(of channel: any Channel) throws {
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(
            .socketOption(.so_sndbuf),
            value: .init(board.options.sendBuffer)
        )
        #if os(Linux)
            // TCP_USER_TIMEOUT, in milliseconds.
            let option = ChannelOptions.Types.SocketOption(
                level: .tcp,
                name: NIOBSDSocket.Option(rawValue: 18)
            )
            try channel.syncOptions?.setOption(
                option,
                value: Int(board.writeTimeout.nanoseconds / 1_000_000)
            )
        #endif
    }

    func handle(value: Value, logger: Logger) async {
        // Nothing for a connection that follows a list, or ends before its first request: this task ends then.
        guard let http = try? await value.http.get() else { return }
        await handleHTTP(asyncChannel: http, logger: logger)
    }
}

/// Says why there is no connection, and ends it.
private final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let fault: RequestFault

    init(_ fault: RequestFault) { self.fault = fault }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(fault.response), promise: nil)
        context.linger()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.close(promise: nil)
    }
}

extension ChannelHandlerContext {
    /// Ends a connection whose peer may still be sending: at once would take back what was written before it is read.
    /// Whoever calls it drops what comes, and closes when nothing more does.
    func linger() {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        close(mode: .output, promise: nil)
        let task = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            bound.value.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }
}

extension RequestFault {
    /// The fault as bytes, for where there is nobody else to answer; the connection is to be closed after it.
    var response: ByteBuffer {
        ByteBuffer(
            string: """
                HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r
                content-type: application/json\r
                content-length: \(json.utf8.count)\r
                cache-control: no-store\r
                connection: close\r
                \r
                \(json)
                """
        )
    }
}
