import CHiredis
import Dispatch
import Glibc

/// Watches the socket of one connection from a thread of its own, and tells on a queue what the socket is ready for.
///
/// It does not use Dispatch's sources: when sources for reading and writing come and go with connections, the thread that
/// manages them may meet one that is gone, which ends the process (swift-corelibs-libdispatch, #949).
///
/// Threading: all calls are made on the queue, and so is what it tells. The thread waits for the queue; the queue never
/// waits for the thread.
final class SocketWatch: @unchecked Sendable {
    // @unchecked: `isWatchingWriting` and `hasEnded` are touched on the queue only, the rest is constant.

    struct Readiness: OptionSet {
        var rawValue: UInt8
        static let reading = Readiness(rawValue: 1)
        static let writing = Readiness(rawValue: 2)
    }

    private let queue: DispatchQueue
    private let socket: Int32
    private let isReady: (Readiness) -> Void
    /// The file that the thread waits at, and the one that wakes it for the end. Both are closed with this object.
    private let files: (poll: Int32, wake: Int32)
    /// Whether it watches for room to write too.
    var isWatchingWriting = false {
        didSet {
            if isWatchingWriting != oldValue { watch(socket, EPOLL_CTL_MOD) }
        }
    }
    private var hasEnded = false

    /// Begins to watch for something to read, and for errors, which are told as something to read.
    ///
    /// - Parameters:
    ///   - socket: stays open until after ``end()``.
    ///   - isReady: called on the queue, again and again while nobody reads or writes what it tells of.
    /// - Returns: `nil` if the system gives no more files or threads.
    init?(_ socket: Int32, queue: DispatchQueue, isReady: @escaping (Readiness) -> Void) {
        self.queue = queue
        self.socket = socket
        self.isReady = isReady
        files = (epoll_create1(Int32(EPOLL_CLOEXEC)), eventfd(0, Int32(EFD_CLOEXEC)))
        guard watch(files.wake, EPOLL_CTL_ADD), watch(socket, EPOLL_CTL_ADD), begin() else {
            return nil
        }
    }

    deinit {
        Glibc.close(files.poll)
        Glibc.close(files.wake)
    }

    /// Ends it: nothing is told any more, and the socket may be closed. Once.
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
            // One at a time: the socket's is told before the next is waited for. Woken by a signal, it has none.
            guard epoll_wait(files.poll, &event, 1, -1) == 1 else { continue }
            let errors = EPOLLERR.rawValue | EPOLLHUP.rawValue
            var readiness: Readiness = []
            if event.events & (EPOLLIN.rawValue | errors) != 0 { readiness.insert(.reading) }
            if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writing) }
            isEnding = queue.sync {
                if !hasEnded { isReady(readiness) }
                return hasEnded
            }
        }
    }
}

/// Withholds `SIGPIPE`: hiredis writes in a way that signals it if the connection was closed, and that ends a process that
/// does not ignore it.
enum PipeSignal {
    /// Runs what writes, and takes the signal away that came of it.
    ///
    /// - Parameter body: says whether a connection was found closed.
    static func withheld(_ body: () -> Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        // One that waits already is somebody else's.
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
