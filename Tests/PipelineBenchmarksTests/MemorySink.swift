import Foundation

@testable import pipeline_benchmarks

/// Keeps what is written, or fails with what it is told.
final class MemorySink: TextSink {
    private(set) var text = ""
    let isTerminal: Bool
    var columns: Int?
    /// How often writing works before it fails.
    private var writesLeft: Int
    private let fault: WriteFault

    init(isTerminal: Bool = false, failing fault: Int32 = EPIPE, afterWrites writes: Int = .max) {
        self.isTerminal = isTerminal
        self.fault = WriteFault(errorNumber: fault)
        writesLeft = writes
    }

    func write(_ text: String) throws(WriteFault) {
        guard writesLeft > 0 else { throw fault }
        writesLeft -= 1
        self.text += text
    }

    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
