import CollectionPublishing
import Foundation
import LiveBoardClient
import NIOCore
import NIOPosix

/// Connects all readers, some at a time.
struct ReaderFactory {
    let command: LoadCommand
    let board: ArrivalBoard
    let eventLoop: any EventLoop

    func connectAll() async throws {
        let width = 64
        for start in stride(from: 0, to: command.clients, by: width) {
            let connections = (start..<min(command.clients, start + width)).map { number in
                connect(number)
            }
            for connection in connections { _ = try await connection.get() }
        }
    }

    private func connect(_ number: Int) -> EventLoopFuture<any Channel> {
        let (command, board) = (command, board)
        return ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler: any ChannelHandler =
                        number < command.replicas
                        ? ReplicaHandler(board)
                        : CountingHandler(board, isText: !command.gzip)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: "127.0.0.1", port: command.port)
            .flatMap { channel in
                let encoding = command.gzip ? "accept-encoding: gzip\r\n" : ""
                let request = ByteBuffer(
                    string: "GET /lists/\(command.list)/updates HTTP/1.1\r\n"
                        + "host: 127.0.0.1:\(command.port)\r\n\(encoding)\r\n"
                )
                return channel.writeAndFlush(request).map { channel }
            }
    }
}

/// Looks for versions alone, which costs as little as can be.
private final class CountingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let board: ArrivalBoard
    private let isText: Bool
    private var version: Int?
    /// How much of `\nid: ` has come, or that the version is being read.
    private var matched = 0
    private var isNumber = false
    private var number = 0

    private static let mark = Array("\nid: ".utf8)

    init(_ board: ArrivalBoard, isText: Bool) {
        self.board = board
        self.isText = isText
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        board.received(buffer.readableBytes)
        guard isText else { return }
        buffer.withUnsafeReadableBytes { bytes in
            for byte in bytes { take(byte) }
        }
    }

    private func take(_ byte: UInt8) {
        if matched == Self.mark.count {
            switch byte {
            case UInt8(ascii: "."): isNumber = true
            case UInt8(ascii: "\n"):
                came(number)
                (matched, isNumber, number) = (1, false, 0)
            default: if isNumber { number = number * 10 + Int(byte - UInt8(ascii: "0")) }
            }
        } else if byte == Self.mark[matched] {
            matched += 1
        } else {
            matched = byte == Self.mark[0] ? 1 : 0
        }
    }

    private func came(_ new: Int) {
        if let version { board.came(from: version, to: new) }
        version = new
    }

    func channelInactive(context: ChannelHandlerContext) { board.fault("a connection ended") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { board.fault("\(error)") }
}

/// Has a replica, which finds what is missing, doubled or wrong.
private final class ReplicaHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let board: ArrivalBoard
    private var reader = EventReader()
    private var replica = CollectionReplica()

    init(_ board: ArrivalBoard) { self.board = board }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        board.received(buffer.readableBytes)
        do {
            for event in try reader.read(buffer.readableBytesView) where event.type.isEmpty {
                let wire = try JSONDecoder().decode(
                    WireMessage.self,
                    from: Data(event.data.utf8)
                )
                let old = replica.version?.number
                try replica.apply(wire)
                if let old, let new = replica.version?.number { board.came(from: old, to: new) }
            }
        } catch {
            board.fault("\(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) { board.fault("a connection ended") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { board.fault("\(error)") }
}
