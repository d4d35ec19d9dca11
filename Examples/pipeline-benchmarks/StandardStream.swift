import Foundation

/// A standard stream of the process.
struct StandardStream {
    let descriptor: Int32

    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let errors = StandardStream(descriptor: STDERR_FILENO)

    /// Whether the stream is a terminal on which a line can be replaced.
    var isTerminal: Bool {
        let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return isatty(descriptor) == 1 && !name.isEmpty && name != "dumb"
    }

    /// The current width of the terminal, or `nil` if the stream is not one.
    var columns: Int? {
        var size = winsize()
        _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Writes all of `text`.
    func write(_ text: String) throws(WriteFault) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw WriteFault(errorNumber: errno)
            }
        }
    }
}

/// The reason why nothing more can be written to a stream.
struct WriteFault: Error {
    let errorNumber: Int32

    /// Whether the reader has closed the pipe, which is a clean end and no error.
    var isBrokenPipe: Bool { errorNumber == EPIPE }

    /// The system's name for the fault.
    var message: String { String(cString: strerror(errorNumber)) }
}

/// A line on a terminal with the current benchmark. On other streams it shows nothing.
struct ProgressLine {
    private let terminal: StandardStream?

    init(on stream: StandardStream) { terminal = stream.isTerminal ? stream : nil }

    /// Replaces the line. A closed terminal is not a reason to stop.
    func show(_ text: String) { try? terminal?.write("\r\u{1B}[K" + text) }
}

/// The machine and the time of a run.
struct Machine {
    let processor: String
    let cores: Int
    let system: String
    let date: String

    static var current: Machine {
        let process = ProcessInfo.processInfo
        return Machine(
            processor: processorName ?? "unknown processor",
            cores: process.activeProcessorCount,
            system: process.operatingSystemVersionString,
            date: Date.now.formatted(.iso8601)
        )
    }

    /// The lines above a table.
    func lines(_ scale: Scale) -> [String] {
        let build =
            PipelineBenchmarks.isOptimised
            ? "release" : "debug: the figures mean nothing and are not judged"
        return [
            "machine   \(processor), \(cores) cores",
            "system    \(system)",
            "compiler  Swift \(Self.compilerVersion), \(build)",
            "run       \(date), \(scale == .quick ? "quick" : "full")",
        ]
    }

    /// The first model name in Linux's description of the processors.
    private static var processorName: String? {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("model name") {
            return line.split(separator: ":", maxSplits: 1).last?
                .trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// The version of the compiler, as far as conditional compilation can determine it.
    private static var compilerVersion: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3.2)
            "6.3.2 or later"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #else
            "6.3"
        #endif
    }
}
