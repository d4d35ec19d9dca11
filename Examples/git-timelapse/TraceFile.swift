import Foundation
import PipelineTrace
import ProgramSupport

/// A file for the trace of a replay, written while the replay runs, and the objects that the replay
/// needs for it.
///
/// An incomplete file, which remains if the process is killed, can be opened too.
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
    private let channel: OutputChannel

    /// Opens the file and discards its previous contents.
    ///
    /// - Throws: ``Failure``.
    init(_ path: String, pipeline: String) throws {
        let channel: OutputChannel
        do {
            channel = try OutputChannel(creating: path)
        } catch {
            throw Self.failure(path, error)
        }
        let stream = ChromeTraceStream { try channel.write($0) }
        self.path = path
        self.channel = channel
        self.stream = stream
        environment = TracedEnvironment(pipeline, receiver: stream)
    }

    deinit { channel.close() }

    /// Completes the file. Blocks until everything is written or the deadline has passed.
    ///
    /// - Throws: ``Failure`` if something could not be written.
    func finish(before deadline: DispatchTime = .distantFuture) throws {
        let isWritten = DispatchSemaphore(value: 0)
        let outcome = LockedValue<(any Error)?>(nil)
        stream.finish { result in
            if case .failure(let error) = result { outcome.value = error }
            isWritten.signal()
        }
        _ = isWritten.wait(timeout: deadline)
        if let error = outcome.value { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ error: any Error) -> Failure {
        Failure(description: "cannot write the trace to \(path.escapedForTerminal): \(error)")
    }
}
