import Foundation
import PipelineTrace

/// A file that a replay's trace goes to while it comes, and what the replay needs for that.
///
/// However a run ends, by itself, by an error or by a signal, the text is brought to its end; where nothing can do that any
/// more, it can be opened as far as it goes.
///
/// Threading: usable from anywhere.
final class TraceFile: Sendable {
    /// Why there is no trace, or no whole one.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    let environment: TracedEnvironment
    let stream: ChromeTraceStream
    private let path: String
    private let descriptor: Int32
    /// `@unchecked`, because a source is not `Sendable`: it is only ever reached under the lock.
    private struct Watched: @unchecked Sendable {
        var sources: [any DispatchSourceSignal] = []
        var actions: [(number: Int32, before: sigaction)] = []
    }
    private let watched = Guarded(Watched())

    /// Opens the file, which loses what was in it.
    ///
    /// - Throws: ``Failure``.
    init(_ path: String, pipeline: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw Self.failure(path, OutputChannel.WriteError(number: errno))
        }
        let channel = OutputChannel(descriptor: descriptor)
        let stream = ChromeTraceStream { try channel.write($0) }
        self.path = path
        self.descriptor = descriptor
        self.stream = stream
        environment = TracedEnvironment(pipeline, receiver: stream)
    }

    deinit {
        endWatching()
        close(descriptor)
    }

    /// Brings the text to its end; blocks until it is written.
    ///
    /// - Throws: ``Failure`` where something could not be written.
    func finish() throws {
        let isWritten = DispatchSemaphore(value: 0)
        let outcome = Guarded<(any Error)?>(nil)
        stream.finish { result in
            if case .failure(let error) = result { outcome.value = error }
            isWritten.signal()
        }
        isWritten.wait()
        endWatching()
        if let error = outcome.value { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ error: any Error) -> Failure {
        var reason = "\(error)"
        if let error = error as? OutputChannel.WriteError {
            reason = String(cString: strerror(error.number))
        }
        return Failure(
            description: "cannot write the trace to \(DisplayText.escaping(path)): \(reason)"
        )
    }

    // MARK: Signals

    /// Brings the text to its end, as far as that is possible in a second: a signal ends the process.
    func finishInTime() {
        let isWritten = DispatchSemaphore(value: 0)
        stream.finish { _ in isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + 1)
    }

    /// Has signals that end the process end the text first. Whoever is told of them by other means calls
    /// ``finishInTime()`` instead.
    func watchSignals() {
        let isWatched = DispatchGroup()
        defer { isWatched.wait() }
        watched.update { watched in
            for number in [SIGINT, SIGTERM, SIGHUP] {
                var before = sigaction()
                sigaction(number, nil, &before)
                // Who started the program wants it to go on then.
                if Self.isIgnored(before) { continue }
                watched.actions.append((number, before))
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { @Sendable [weak self] in
                    self?.finishInTime()
                    endProcess(by: number)
                }
                isWatched.enter()
                source.setRegistrationHandler { @Sendable in isWatched.leave() }
                source.resume()
                watched.sources.append(source)
            }
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }

    private func endWatching() {
        watched.update { watched in
            for source in watched.sources { source.cancel() }
            for (number, before) in watched.actions {
                var before = before
                sigaction(number, &before, nil)
            }
            watched = Watched()
        }
    }
}
