import Foundation

/// Where text goes to.
protocol TextSink {
    /// Whether a line may be drawn over.
    var isTerminal: Bool { get }

    /// How wide it is at this moment; nil where it is no terminal, or does not know.
    var columns: Int? { get }

    /// Writes all of `text`.
    func write(_ text: String) throws(WriteFault)
}

/// Why nothing more can be written.
struct WriteFault: Error, Equatable {
    let errorNumber: Int32

    /// Whether nobody reads any more, which is a clean end and no error.
    var isBrokenPipe: Bool { errorNumber == EPIPE }

    /// What the system calls it.
    var message: String { String(cString: strerror(errorNumber)) }
}
