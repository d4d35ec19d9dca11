import Foundation

/// The machine and the time of a run.
enum Machine {
    /// Returns the lines above a table.
    static func lines(_ scale: Scale) -> [String] {
        let process = ProcessInfo.processInfo
        let processor = processorName ?? "unknown processor"
        let build =
            PipelineBenchmarks.isOptimised
            ? "release" : "debug: the figures mean nothing and are not judged"
        return [
            "machine   \(processor), \(process.activeProcessorCount) cores",
            "system    \(process.operatingSystemVersionString)",
            "compiler  Swift \(compilerVersion), \(build)",
            "run       \(Date.now.formatted(.iso8601)), \(scale == .quick ? "quick" : "full")",
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
