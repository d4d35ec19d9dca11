import Foundation
import PipelineSimulation

/// What a person needs to see and repeat a failure.
enum FailureReport {
    /// A failing run as text: the guarantees, what was done, and the steps.
    static func text(_ result: RunResult) -> String {
        var lines: [String] = []
        for violation in result.violations.prefix(8) { lines.append("broken: \(violation)") }
        if result.violations.count > 8 { lines.append("… \(result.violations.count - 8) more") }
        lines.append(text(result.plan))
        if result.plan.cluster != nil { return (lines + notes(result)).joined(separator: "\n") }
        let shown = result.trace.prefix(200)
        lines.append("\(Timeline(Array(shown), laneLabels: result.laneLabels))")
        if result.trace.count > shown.count {
            lines.append("… \(result.trace.count - shown.count) more steps")
        }
        return lines.joined(separator: "\n")
    }

    /// What happened in a cluster, of which single steps say little: as much as fits, from the end.
    private static func notes(_ result: RunResult) -> [String] {
        let notes = result.trace.flatMap { step in
            step.notes.map { "\(step.step)  \(step.timestamp)  \($0)" }
        }
        let shown = notes.suffix(400)
        return (shown.count < notes.count ? ["\(notes.count - shown.count) notes before …"] : [])
            + shown
    }

    /// What a plan does, and what may go wrong in it.
    static func text(_ plan: RunPlan) -> String {
        var lines: [String] = []
        lines.append(
            "strategy \(plan.strategy), \(plan.workerCount) workers, backlog \(plan.backlogLimit),"
                + " \(plan.sections) × \(plan.items) items" + plan.traits.map { ", \($0)" }.joined()
        )
        if let cluster = plan.cluster { lines.append("\(cluster)") }
        if let view = plan.view { lines.append("\(view)") }
        for (number, actions) in plan.clients.enumerated() where !actions.isEmpty {
            lines.append("client \(number): " + actions.map { "\($0)" }.joined(separator: ", "))
        }
        if !plan.faults.isEmpty {
            lines.append(
                "faults: "
                    + plan.faults.map { "\($0.point.rawValue) \($0.rate)" }.joined(separator: ", ")
            )
        }
        if let number = plan.onlyFault { lines.append("fault: the one at place \(number)") }
        return lines.joined(separator: "\n")
    }

    static func write(_ plan: RunPlan, to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try encoder.encode(plan).write(to: URL(fileURLWithPath: file))
    }

    /// - Throws: `DecodingError`; a `ReadingFault` where there is nothing to decode.
    static func read(_ file: String) throws -> RunPlan {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw ReadingFault(description: "there is no such file")
        }
        if isFolder.boolValue {
            throw ReadingFault(description: "it is a folder; name the file of a case")
        }
        guard let text = FileManager.default.contents(atPath: file) else {
            throw ReadingFault(description: "it exists, but may not be read")
        }
        return try plan(from: text)
    }

    /// Why a file cannot be read, in a sentence.
    struct ReadingFault: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: `DecodingError`.
    static func plan(from text: Data) throws -> RunPlan {
        // The decoder traps where the bracket of one array too many is the last byte of all.
        try JSONDecoder().decode(RunPlan.self, from: text + [0x0A])
    }
}

extension RunPlan {
    /// What sets the pipeline of the run apart, in words.
    fileprivate var traits: [String] {
        [
            (loadsFirst, "loads first"), (hasLayout, "a layout measures"),
            (hasLayout && preparesLayout == true, "for the view beforehand"),
            (givesRanges, "items by the range"),
            (rejectsWhenFull, "rejects when full"), (mergesWhenFull, "merges when full"),
            (reloadsOnRejection, "reloads on rejection"),
            (decomposesMoves, "decomposes moves"),
            (measuring?.isOnDemand == false, "measures far away things later"),
            (measuring?.isOnDemand == true, "measures on demand"),
        ].filter(\.0).map(\.1)
    }
}
