import Foundation

/// Calls a closure for signals, from its creation to its release. The closure runs on an ordinary
/// thread, where locking and writing are allowed, unlike in a signal handler.
///
/// A signal stays ignored if the program was started with it ignored.
final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    init(_ numbers: [Int32], _ receive: @escaping @Sendable (Int32) -> Void) {
        let isWatched = DispatchGroup()
        sources = numbers.filter { !Self.isIgnored($0) }.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in receive(number) }
            isWatched.enter()
            source.setRegistrationHandler { @Sendable in isWatched.leave() }
            source.resume()
            return source
        }
        isWatched.wait()
    }

    deinit { for source in sources { source.cancel() } }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }
}

/// Ends the process as the unhandled signal would.
func endProcess(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The process gets here only if every thread blocks the signal.
    usleep(200_000)
    _exit(128 + number)
}
