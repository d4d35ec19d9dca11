import BrokerProcesses
import Foundation
import Glibc
import JournalSupport

/// A member's way to the broker: connections to its port are passed on to the broker's, as long as it lets them.
///
/// What a direction does not forward stays where it is, as in a network whose packets get lost and are sent again.
///
/// Threading: a thread of its own moves the bytes; every member may be called from anywhere.
final class Relay: Sendable {
    /// What it forwards.
    enum Mode: String, Sendable {
        case open
        /// Nothing to the broker; what that says comes.
        case deafBroker
        /// Nothing from the broker; what the member says arrives.
        case deafMember
        /// Nothing either way, and connections stay.
        case silent
        /// No connection at all.
        case cut
    }

    /// Where members connect to.
    let port: UInt16
    private let target: UInt16
    private let listener: Int32
    private let wake: (read: Int32, write: Int32)
    private let state = Guarded(State())

    private struct State {
        var mode = Mode.open
        var isClosed = false
    }

    init(to target: UInt16) throws {
        self.target = target
        listener = LocalSocket.make()
        guard let port = LocalSocket.listen(listener) else {
            throw CampaignFailure("a relay has no port")
        }
        self.port = port
        wake = try LocalSocket.makePipe()
        Thread.detachNewThread { [self] in run() }
    }

    var mode: Mode {
        get { state.withLock { $0.mode } }
        set {
            state.withLock { $0.mode = newValue }
            poke()
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        poke()
    }

    private func poke() { _ = write(wake.write, [1], 1) }

    // MARK: On its thread

    private func run() {
        var lines: [RelayLine] = []
        while true {
            let state = state.withLock { $0 }
            if state.isClosed || state.mode == .cut {
                for line in lines { line.close() }
                lines = []
            }
            if state.isClosed { break }
            var polled = [
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            ]
            for line in lines { polled += line.interests(state.mode) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 64)
                _ = read(wake.read, &bytes, bytes.count)
            }
            // Those that there were when it was looked.
            for (index, line) in lines.enumerated() {
                line.move(polled[2 + 2 * index].revents, polled[3 + 2 * index].revents, state.mode)
            }
            if polled[1].revents != 0, let line = accept() { lines.append(line) }
            for line in lines where line.isOver { line.close() }
            lines.removeAll(where: \.isOver)
        }
        for descriptor in [listener, wake.read, wake.write] { _ = Glibc.close(descriptor) }
    }

    private func accept() -> RelayLine? {
        let member = Glibc.accept(listener, nil, nil)
        guard member >= 0 else { return nil }
        LocalSocket.keepFromChildren(member)
        // A machine talks to itself: there is nothing to wait for.
        let broker = LocalSocket.make()
        guard mode != .cut, Loopback.connect(broker, to: target) else {
            _ = Glibc.close(member)
            _ = Glibc.close(broker)
            return nil
        }
        return RelayLine(member, broker)
    }
}

/// One connection through a relay.
private final class RelayLine {
    private var upward: Direction
    private var downward: Direction
    private(set) var isOver = false

    /// From one socket to another, with what was read and not written.
    private struct Direction {
        let source: Int32
        let target: Int32
        var waiting: ArraySlice<UInt8> = []
    }

    init(_ member: Int32, _ broker: Int32) {
        for socket in [member, broker] { LocalSocket.prepare(socket) }
        upward = Direction(source: member, target: broker)
        downward = Direction(source: broker, target: member)
    }

    func close() {
        for socket in [upward.source, upward.target] {
            // Also where a child process has it that was started meanwhile.
            shutdown(socket, Int32(SHUT_RDWR))
            _ = Glibc.close(socket)
        }
    }

    /// The member's socket, then the broker's.
    func interests(_ mode: Relay.Mode) -> [pollfd] {
        func events(_ out: Direction, _ back: Direction, _ reads: Bool, _ writes: Bool) -> Int16 {
            var events = 0
            if reads, out.waiting.isEmpty { events |= Int(POLLIN) }
            if writes, !back.waiting.isEmpty { events |= Int(POLLOUT) }
            return Int16(events)
        }
        let (isUp, isDown) = (mode.forwardsToBroker, mode.forwardsToMember)
        func entry(_ socket: Int32, _ events: Int16) -> pollfd {
            // One that nothing is wanted of would be told of its end again and again.
            pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0)
        }
        return [
            entry(upward.source, events(upward, downward, isUp, isDown)),
            entry(downward.source, events(downward, upward, isDown, isUp)),
        ]
    }

    func move(_ member: Int16, _ broker: Int16, _ mode: Relay.Mode) {
        if mode.forwardsToBroker, member | broker != 0 { pass(&upward, member) }
        if mode.forwardsToMember, member | broker != 0 { pass(&downward, broker) }
    }

    private func pass(_ direction: inout Direction, _ event: Int16) {
        let canRead = Int32(event) & (POLLIN | POLLHUP | POLLERR) != 0
        if canRead, direction.waiting.isEmpty {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(direction.source, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count > 0 { direction.waiting = bytes[..<count] }
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isOver = true }
        }
        guard !direction.waiting.isEmpty else { return }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = direction.waiting.withUnsafeBytes {
            send(direction.target, $0.baseAddress, $0.count, flags)
        }
        if count > 0 { direction.waiting = direction.waiting.dropFirst(count) }
        if count < 0, errno != EAGAIN, errno != EINTR { isOver = true }
    }
}

extension Relay.Mode {
    fileprivate var forwardsToBroker: Bool { self == .open || self == .deafMember }
    fileprivate var forwardsToMember: Bool { self == .open || self == .deafBroker }
}
