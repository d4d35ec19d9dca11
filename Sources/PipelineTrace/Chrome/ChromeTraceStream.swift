import CollectionElements
import CollectionPipeline

/// Writes a trace during the run, for runs that are too long to keep in memory.
///
/// ```swift
/// let stream = ChromeTraceStream { bytes in try file.write(contentsOf: bytes) }
/// let controller = DataController(dataSource: Feed(), view: view, observer: stream)
/// …
/// await controller.close()
/// try await stream.finish()
/// ```
///
/// The text has the format of ``ChromeTrace``. The stream writes whole lines, several hundred at a
/// time, so that the text can be opened even if the process ends early.
///
/// **Bounds**: After ``limit`` bytes nothing new begins. Change sets that have begun still end, and
/// an instant at the end reports the number of entries that were left out. The stream keeps in
/// memory the change sets that have begun and not ended, and at most ``pendingLimit`` entries that
/// are not written yet. If entries arrive faster than they can be written, the stream drops the
/// excess and reports its number in the same way.
///
/// Threading: entries may arrive on any thread and are added to a list. The stream encodes and
/// writes them on its own lane.
public final class ChromeTraceStream: TraceReceiver {
    /// The number of bytes after which nothing new begins. The text may exceed it by the ends of
    /// open change sets.
    public let limit: Int

    /// The maximum number of entries that wait to be written.
    public let pendingLimit: Int

    private let lane: any Lane
    private let write: @Sendable ([UInt8]) throws -> Void
    private let state = Lock(State())

    // Only the lane reads and writes these properties.
    private nonisolated(unsafe) var encoder: ChromeTraceEncoder
    /// The error that stopped the writing.
    private nonisolated(unsafe) var failure: (any Error)?
    /// Whether the end of the text has been encoded.
    private nonisolated(unsafe) var hasEnded = false

    private struct State {
        var pending: [TraceEntry] = []
        var droppedCount = 0
        var isDraining = false
    }

    /// The number of entries that start a turn of the lane.
    private static let batch = 256

    /// Creates a stream. The first bytes are written with the first entries.
    ///
    /// - Parameters:
    ///   - limit: The approximate maximum length of the text in bytes. The default is 256 MiB, half
    ///     of the longest string that a page in Chrome can hold.
    ///   - pendingLimit: The maximum number of entries that wait to be written. The default is
    ///     262,144: about 50 MB, or one second of work.
    ///   - environment: The environment that makes the stream's lane.
    ///   - write: Writes some whole lines. The stream calls it on its lane, never concurrently. If
    ///     it throws, the stream does not call it again.
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

    /// Receives an entry and adds it to the list.
    public func receive(_ entry: TraceEntry) {
        let mustDrain = state.withLock { state in
            guard state.pending.count < pendingLimit else {
                state.droppedCount += 1
                return false
            }
            state.pending.append(entry)
            guard state.pending.count >= Self.batch, !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        if mustDrain { lane.enqueue { [self] in drain() } }
    }

    /// Ends the text, and calls `completion` on the stream's lane when everything is written. Later
    /// entries are ignored. A second call only calls its `completion`.
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

    /// Ends the text, and returns when everything is written.
    ///
    /// - Throws: The error that `write` threw.
    public func finish() async throws {
        let result: Result<Void, any Error> = await suspend { finish($0) }
        try result.get()
    }

    private func drain() {
        while true {
            let (entries, droppedCount) = state.withLock { state in
                defer { (state.pending, state.droppedCount) = ([], 0) }
                state.isDraining = !state.pending.isEmpty
                return (state.pending, state.droppedCount)
            }
            guard !entries.isEmpty else { return }
            guard !hasEnded else { continue }
            for entry in entries { encoder.add(entry) }
            encoder.leaveOut(droppedCount)
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
