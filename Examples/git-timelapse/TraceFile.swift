import Foundation
import PipelineTrace

/// A file for the trace of a replay, written while the replay runs, and the objects that the replay
/// needs for it.
///
/// The file is completed even if an error or a signal ends the run. If that is impossible, the
/// incomplete file can still be opened.
///
/// Threading: usable from any thread.
final class TraceFile: Sendable {
    /// The reason why there is no trace or no complete one.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    let environment: TracedEnvironment
    let stream: ChromeTraceStream
    private let path: String
    private let descriptor: Int32
    /// `@unchecked`, because a signal source is not `Sendable`: it is used only under the lock.
    private struct Watched: @unchecked Sendable {
        var sources: [any DispatchSourceSignal] = []
        var actions: [(number: Int32, before: sigaction)] = []
    }
    private let watched = LockedValue(Watched())

    /// Opens the file and discards its previous contents.
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

    /// Completes the file. Blocks until everything is written.
    ///
    /// - Throws: ``Failure`` if something could not be written.
    func finish() throws {
        let isWritten = DispatchSemaphore(value: 0)
        let outcome = LockedValue<(any Error)?>(nil)
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

    /// Completes the file, as far as possible within a second, before a signal ends the process.
    func finishInTime() {
        let isWritten = DispatchSemaphore(value: 0)
        stream.finish { _ in isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + 1)
    }

    /// Completes the file before SIGINT, SIGTERM or SIGHUP ends the process. A caller that handles
    /// these signals itself calls ``finishInTime()`` instead.
    func watchSignals() {
        let isWatched = DispatchGroup()
        defer { isWatched.wait() }
        watched.update { watched in
            for number in [SIGINT, SIGTERM, SIGHUP] {
                var before = sigaction()
                sigaction(number, nil, &before)
                // The program was started with this signal ignored, so it continues.
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
