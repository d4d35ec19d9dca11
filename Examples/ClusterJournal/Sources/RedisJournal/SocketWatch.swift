import CHiredis
import Dispatch
import Glibc

/// Watches the socket of one connection on a thread of its own, and reports readiness on a queue.
///
/// It does not use Dispatch sources: if read and write sources are created and cancelled with
/// connections, Dispatch's manager thread can encounter a released source and crash the process
/// (swift-corelibs-libdispatch #949).
///
/// Threading: call all methods on the queue; reports arrive there too. The thread waits for the
/// queue, but the queue never waits for the thread.
final class SocketWatch: @unchecked Sendable {
    // @unchecked: `isWatchingWriting` and `hasEnded` are accessed only on the queue.

    struct Readiness: OptionSet {
        var rawValue: UInt8
        static let reading = Readiness(rawValue: 1)
        static let writing = Readiness(rawValue: 2)
    }

    private let queue: DispatchQueue
    private let socket: Int32
    private let onReady: (Readiness) -> Void
    /// The epoll descriptor of the thread, and the event descriptor that wakes it to end.
    private let files: (poll: Int32, wake: Int32)
    /// Whether the watch also reports writability.
    var isWatchingWriting = false {
        didSet {
            if isWatchingWriting != oldValue { watch(socket, EPOLL_CTL_MOD) }
        }
    }
    private var hasEnded = false

    /// Starts watching for readability and errors. Errors are reported as readability.
    ///
    /// - Parameters:
    ///   - socket: The socket, which must stay open until after ``end()``.
    ///   - queue: The queue on which the watch is used and reports.
    ///   - onReady: Called on the queue, repeatedly while the reported readiness persists.
    /// - Returns: `nil` if no file descriptor or thread is available.
    init?(_ socket: Int32, queue: DispatchQueue, onReady: @escaping (Readiness) -> Void) {
        self.queue = queue
        self.socket = socket
        self.onReady = onReady
        files = (epoll_create1(Int32(EPOLL_CLOEXEC)), eventfd(0, Int32(EFD_CLOEXEC)))
        guard watch(files.wake, EPOLL_CTL_ADD), watch(socket, EPOLL_CTL_ADD), begin() else {
            return nil
        }
    }

    deinit {
        Glibc.close(files.poll)
        Glibc.close(files.wake)
    }

    /// Ends the watch: no more reports follow, and the socket may be closed. Call it once.
    func end() {
        hasEnded = true
        epoll_ctl(files.poll, EPOLL_CTL_DEL, socket, nil)
        eventfd_write(files.wake, 1)
    }

    @discardableResult
    private func watch(_ file: Int32, _ operation: Int32) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (isWatchingWriting ? EPOLLOUT.rawValue : 0)
        event.data.fd = file
        return epoll_ctl(files.poll, operation, file, &event) == 0
    }

    private func begin() -> Bool {
        var thread = pthread_t()
        let watch = Unmanaged.passRetained(self)
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            Unmanaged<SocketWatch>.fromOpaque($0!).takeRetainedValue().run()
            return nil
        }
        guard pthread_create(&thread, nil, body, watch.toOpaque()) == 0 else {
            watch.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func run() {
        var isEnding = false
        while !isEnding {
            var event = epoll_event()
            // Reports each event before waiting again. An interrupted wait has none.
            guard epoll_wait(files.poll, &event, 1, -1) == 1 else { continue }
            let errors = EPOLLERR.rawValue | EPOLLHUP.rawValue
            var readiness: Readiness = []
            if event.events & (EPOLLIN.rawValue | errors) != 0 { readiness.insert(.reading) }
            if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writing) }
            isEnding = queue.sync {
                if !hasEnded { onReady(readiness) }
                return hasEnded
            }
        }
    }
}

/// Suppresses `SIGPIPE`, which hiredis raises on a closed connection, ending the process.
enum PipeSignal {
    /// Runs a closure that writes, and consumes the signal that it raised.
    ///
    /// - Parameter body: Returns whether it found a connection closed.
    static func suppressed(_ body: () -> Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        // A signal that is already pending belongs to other code.
        var before = sigset_t()
        sigpending(&before)
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
        if body(), sigismember(&before, SIGPIPE) == 0 {
            var none = timespec()
            sigtimedwait(&signals, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
