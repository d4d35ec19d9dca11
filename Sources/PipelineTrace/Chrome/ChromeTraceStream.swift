import CollectionElements
import CollectionPipeline

/// Writes a trace while it comes, for runs that are too long to be kept.
///
/// ```swift
/// let stream = ChromeTraceStream { bytes in try file.write(contentsOf: bytes) }
/// let controller = DataController(dataSource: Feed(), view: view, observer: stream)
/// …
/// await controller.close()
/// try await stream.finish()
/// ```
///
/// The text is that of ``ChromeTrace``, and can be opened where it was cut off after a line, as by the end of the
/// process: whole lines are written, some hundred at a time.
///
/// **Bounds**: the text stops at ``limit`` bytes. From there on nothing begins; what has begun still ends, and
/// an instant at the end says how many entries are left out. In memory are what has begun and not ended, and at most
/// ``pendingLimit`` entries that are not written yet: where the writing is slower than what happens, the entries beyond
/// are left out, and told the same way.
///
/// Threading: entries may come from anywhere, and are put into a list; they are encoded and written on a lane of the
/// stream's own.
public final class ChromeTraceStream: TraceReceiver {
    /// How long the text gets, at most, but for the ends of what has begun.
    public let limit: Int

    /// How many entries may wait to be written.
    public let pendingLimit: Int

    private let lane: any Lane
    private let write: @Sendable ([UInt8]) throws -> Void
    private let state = Lock(State())

    // The lane alone reads and writes these.
    private nonisolated(unsafe) var encoder: ChromeTraceEncoder
    /// Why nothing is written any more.
    private nonisolated(unsafe) var failure: (any Error)?
    /// Whether the text is ended.
    private nonisolated(unsafe) var hasEnded = false

    private struct State {
        var pending: [TraceEntry] = []
        var leftOut = 0
        var isDraining = false
    }

    /// So many entries are worth a turn.
    private static let batch = 256

    /// Makes a stream; the first bytes are written with the first entries.
    ///
    /// - Parameters:
    ///   - limit: how long the text gets; 256 MiB by default, half of the longest text that a page in Chrome can hold.
    ///   - pendingLimit: how many entries may wait to be written; 262,144 by default, some 50 MB, a second or so of
    ///     work.
    ///   - environment: where its lane comes from.
    ///   - write: writes some whole lines; called on the lane, one call after the other. When it throws it is not called
    ///     again.
    public init(
        limit: Int = 1 << 28,
        pendingLimit: Int = 1 << 18,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        write: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
    ) {
        self.limit = limit
        self.pendingLimit = pendingLimit
        self.write = write
        lane = environment.makeLane(label: "trace")
        encoder = ChromeTraceEncoder(limit: limit)
        encoder.begin(leftOutBefore: 0)
    }

    /// Takes an entry.
    public func receive(_ entry: TraceEntry) {
        let mustDrain = state.withLock { state in
            guard state.pending.count < pendingLimit else {
                state.leftOut += 1
                return false
            }
            state.pending.append(entry)
            guard state.pending.count >= Self.batch, !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        if mustDrain { lane.enqueue { [self] in drain() } }
    }

    /// Ends the text, and calls `completion` when it is written, on the stream's lane; what comes later is ignored.
    /// A second call does nothing but call.
    public func finish(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        lane.enqueue { [self] in
            drain()
            if !hasEnded {
                hasEnded = true
                encoder.finish()
                writeBytes()
            }
            completion(failure.map { .failure($0) } ?? .success(()))
        }
    }

    /// Ends the text; returns when it is written.
    ///
    /// - Throws: what writing threw.
    public func finish() async throws {
        let result: Result<Void, any Error> = await suspend { finish($0) }
        try result.get()
    }

    private func drain() {
        while true {
            let (entries, leftOut) = state.withLock { state in
                defer { (state.pending, state.leftOut) = ([], 0) }
                state.isDraining = !state.pending.isEmpty
                return (state.pending, state.leftOut)
            }
            guard !entries.isEmpty else { return }
            guard !hasEnded else { continue }
            for entry in entries { encoder.add(entry) }
            encoder.leaveOut(leftOut)
            writeBytes()
        }
    }

    private func writeBytes() {
        let bytes = encoder.take()
        guard failure == nil else { return }
        do {
            try write(bytes)
        } catch {
            failure = error
        }
    }
}
