import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Looks at the requests of a connection: those that follow a list are taken over, all others are Hummingbird's.
///
/// | `state` | there is | goes on when |
/// |---|---|---|
/// | `fresh` | no request yet, or part of one | it is whole: `streaming` or `serving`; it is late: the connection ends |
/// | `serving` | Hummingbird behind this handler | a request to follow a list comes while nothing is being answered: `streaming` |
/// | `streaming` | a ``StreamConnection`` before this handler, which sees nothing more | |
/// | `ending` | the answer to what was no HTTP, the last one | the peer has read it, or some time is over: the connection ends |
// Confined to its event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart
    typealias AsyncChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private enum State {
        case fresh
        case serving
        case streaming
        case ending
    }

    private let board: Board
    private let http: EventLoopPromise<AsyncChannel?>
    private let codec:
        (encoder: HTTPResponseEncoder, decoder: ByteToMessageHandler<HTTPRequestDecoder>)
    private let logger: Logger

    private var state = State.fresh
    /// How many requests were read or begun, and are not answered to the end.
    private var unanswered = 0
    /// Whether a request has begun and not ended.
    private var isReading = true
    /// Whether the connection ends after the answer: its protocol has no other.
    private var isLast = false
    private var timeout: Scheduled<Void>?

    init(
        _ board: Board,
        _ http: EventLoopPromise<AsyncChannel?>,
        codec: (encoder: HTTPResponseEncoder, decoder: ByteToMessageHandler<HTTPRequestDecoder>),
        logger: Logger
    ) {
        self.board = board
        self.http = http
        self.codec = codec
        self.logger = logger
    }

    // MARK: Time

    func channelActive(context: ChannelHandlerContext) {
        watch(context)
        context.fireChannelActive()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isReading {
            watch(context)
        } else {
            stopWatching()
        }
        context.fireChannelReadComplete()
    }

    /// A request that has begun must end in time; so must the first begin.
    private func watch(_ context: ChannelHandlerContext) {
        guard timeout == nil else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: board.requestTimeout) {
            self.board.meters.refused("requestTimeout")
            bound.value.close(promise: nil)
        }
    }

    private func stopWatching() {
        timeout?.cancel()
        timeout = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if state == .streaming || state == .ending { return }
        let part = unwrapInboundIn(data)
        switch part {
        case .head(let head):
            isReading = true
            if unanswered == 0, let stream = board.stream(for: head) {
                return takeOver(context, stream)
            }
            unanswered += 1
            isLast = head.version == .http1_0 && !head.isKeepAlive
            if state == .fresh { serve(context) }
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        unanswered -= 1
        if isLast {
            // Hummingbird takes every connection for one that stays.
            context.flush()
            context.close(promise: nil)
        }
    }

    private func takeOver(_ context: ChannelHandlerContext, _ stream: OpenStream) {
        let wasFresh = state == .fresh
        state = .streaming
        stopWatching()
        let connection = StreamConnection(
            stream,
            surroundings: board.streaming,
            on: context.eventLoop
        )
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(connection, position: .first)
        } catch {
            // The channel is closed already.
            return context.close(promise: nil)
        }
        if wasFresh {
            http.succeed(nil)
            // Nobody needs them any more.
            pipeline.removeHandler(codec.encoder, promise: nil)
            pipeline.removeHandler(codec.decoder, promise: nil)
            pipeline.removeHandler(self, promise: nil)
        }
        connection.begin()
    }

    private func serve(_ context: ChannelHandlerContext) {
        state = .serving
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(
                HTTPConnectionStateHandler(idleTimeout: board.idleTimeout, logger: logger)
            )
            http.succeed(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: context.channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            )
        } catch {
            http.fail(error)
            context.close(promise: nil)
        }
    }

    // MARK: The end

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { ended() }

    private func ended() {
        stopWatching()
        if state == .fresh {
            state = .streaming
            http.succeed(nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isEnd: Bool
        switch event {
        case is ChannelShouldQuiesceEvent: isEnd = true
        case ChannelEvent.inputClosed: isEnd = true
        default: isEnd = false
        }
        if isEnd, state == .fresh || state == .ending { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = Self.fault(of: error) else {
            return context.fireErrorCaught(error)
        }
        // What comes after it is no HTTP either.
        if state == .ending { return }
        board.meters.refused(fault.code)
        guard unanswered == 0 else {
            // Another answer is under way, which may not be mixed with this one.
            return context.close(promise: nil)
        }
        var head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: fault.status)
        )
        head.headers.add(name: "content-type", value: "application/json")
        head.headers.add(name: "content-length", value: "\(fault.json.utf8.count)")
        head.headers.add(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: fault.json)))),
            promise: nil
        )
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        stopWatching()
        if state == .fresh { http.succeed(nil) }
        state = .ending
        context.linger()
    }

    /// What was wrong with a request that could not be parsed.
    private static func fault(of error: any Error) -> RequestFault? {
        guard let error = error as? HTTPParserError else { return nil }
        return error == .headerOverflow
            ? RequestFault(
                status: 431,
                code: "headersTooLarge",
                message: "the header fields of a request are too large"
            )
            : .unreadable("the request is not HTTP/1.1")
    }
}
