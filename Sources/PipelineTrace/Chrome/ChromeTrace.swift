/// A trace in the Trace Event Format, which chrome://tracing and Perfetto (ui.perfetto.dev) open.
///
/// What is in it:
/// - each pipeline is a process with its name; the main lane, the editing lane, and where a ``TracedEnvironment`` was
///   used each other lane and each worker, are its threads;
/// - each change set is an async span `change set` from its first event to its completion, with a span for each step and each
///   wait within it; where an arrow leads it goes from latch to measurement to deployment;
/// - what failed, was rejected or stalled is an instant;
/// - counters are the backlog, how many wait to come in, how many elements were measured so far, and whatever
///   was counted (``TraceEntry/Count``).
///
/// Each line is one of these, in the order of the entries, but not of their times; times are microseconds from the start
/// of the environment's clock. A text that is cut off after any line can still be opened, without what comes later.
public enum ChromeTrace {
    /// The whole trace of some entries, UTF-8. The same entries give the same bytes.
    ///
    /// What had not ended by the last entry ends there, as `unfinished`.
    ///
    /// - Parameters:
    ///   - entries: in the order in which they were received.
    ///   - leftOut: how many earlier ones there were, which an instant at the beginning says.
    ///
    /// Complexity: O(n), some 100 bytes a line, and some thirty lines a change set.
    public static func json(of entries: some Sequence<TraceEntry>, leftOut: Int = 0) -> [UInt8] {
        var encoder = ChromeTraceEncoder(limit: .max)
        encoder.begin(leftOutBefore: leftOut)
        for entry in entries { encoder.add(entry) }
        encoder.finish()
        return encoder.take()
    }
}
