import Foundation

/// Where and when figures were measured.
struct Machine {
    let processor: String
    let cores: Int
    let system: String
    let compiler: String
    let date: String

    static var current: Machine {
        Machine(
            processor: processorName ?? "unknown processor",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            compiler: "Swift \(compilerVersion)",
            date: Date.now.formatted(.iso8601)
        )
    }

    /// The head of a table.
    func lines(_ scale: Scale, isJudged: Bool) -> [String] {
        let build = isJudged ? "release" : "debug: the figures mean nothing and are not judged"
        return [
            "machine   \(processor), \(cores) cores",
            "system    \(system)",
            "compiler  \(compiler), \(build)",
            "run       \(date), \(scale == .quick ? "quick" : "full")",
        ]
    }

    private static var processorName: String? {
        processorName(in: (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")
    }

    /// The first model name in what Linux tells of its processors.
    static func processorName(in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2,
                halves[0].trimmingCharacters(in: .whitespaces) == "model name"
            else { continue }
            return halves[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// As near as a program can tell with which compiler it was built.
    private static var compilerVersion: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3.2)
            "6.3.2 or later"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
