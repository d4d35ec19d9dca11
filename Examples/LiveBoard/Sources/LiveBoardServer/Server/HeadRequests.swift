import Hummingbird
import NIOCore
import NIOHTTPTypes

/// A responder that answers `HEAD` as it answers `GET`: with the same status and fields, and without the body.
///
/// The body is never made. ``HeadAnswers`` keeps its framing off the connection.
struct HeadResponder<Base: HTTPResponder>: HTTPResponder {
    let base: Base

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        guard request.method == .head else {
            return try await base.respond(to: request, context: context)
        }
        var head = request.head
        head.method = .get
        let request = Request(head: head, body: request.body)
        var response = try await base.respond(to: request, context: context)
        // With the same length, so that the fields stay as they are.
        response.body = ResponseBody(contentLength: response.body.contentLength) { writer in
            try await writer.finish(nil)
        }
        return response
    }
}

/// A handler that leaves out whatever follows the head of an answer to `HEAD`.
///
/// The encoder does not know the method of a request. It would end an answer without a length with an empty chunk,
/// which the client would take for the beginning of the next answer.
final class HeadAnswers: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether each request that is not answered yet is a `HEAD`, in order.
    private var isHead = CircularBuffer<Bool>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            isHead.append(request.method == .head)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isBodiless = isHead.first ?? false
        var part = unwrapOutboundIn(data)
        switch part {
        case .head: break
        case .body: if isBodiless { part = .body(ByteBuffer()) }
        case .end:
            if isBodiless { part = .body(ByteBuffer()) }
            _ = isHead.popFirst()
        }
        // An empty part fulfils the promise in its turn.
        context.write(wrapOutboundOut(part), promise: promise)
    }
}
