import Foundation
import PipelineSimulation
import ProgramSupport

/// Formats a failure, and reads and writes the file that repeats it.
enum FailureReport {
    /// Returns a failing run as text: the broken guarantees, the plan, and the steps.
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

    /// Returns the notes of a cluster run, as many as fit, from the end. Its individual steps have
    /// little meaning.
    private static func notes(_ result: RunResult) -> [String] {
        let notes = result.trace.flatMap { step in
            step.notes.map { "\(step.step)  \(step.timestamp)  \($0)" }
        }
        let shown = notes.suffix(400)
        return (shown.count < notes.count ? ["\(notes.count - shown.count) notes before …"] : [])
            + shown
    }

    /// Returns the actions of a plan and the faults that may happen in it.
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
        if let number = plan.onlyFault { lines.append("fault: only at opportunity \(number)") }
        return lines.joined(separator: "\n")
    }

    static func write(_ plan: RunPlan, to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try encoder.encode(plan).write(to: URL(fileURLWithPath: file))
    }

    /// - Throws: `JSONFault` if the file is not a case, or an error of the file.
    static func read(_ file: String) throws -> RunPlan {
        try decodeJSON(
            RunPlan.self,
            from: try Data(contentsOf: URL(fileURLWithPath: file)),
            "a case"
        )
    }
}

extension RunPlan {
    /// The options of the run that differ from the defaults, in words.
    fileprivate var traits: [String] {
        [
            (loadsFirst, "loads first"), (hasLayout, "measures in a layout"),
            (hasLayout && preparesLayout == true, "prepares the layout in advance"),
            (givesRanges, "returns items by range"),
            (rejectsWhenFull, "rejects when full"), (mergesWhenFull, "merges when full"),
            (reloadsOnRejection, "reloads on rejection"),
            (decomposesMoves, "decomposes moves"),
            (measuring?.isOnDemand == false, "measures distant items later"),
            (measuring?.isOnDemand == true, "measures on demand"),
        ].filter(\.0).map(\.1)
    }
}

/// A number for a sentence: with thousands separators, or from one million on in millions with one
/// decimal.
struct Counted: CustomStringConvertible {
    let description: String

    /// Returns the number of seeds for a sentence.
    static func seeds(_ count: some BinaryInteger) -> String {
        "\(Counted(count)) seed\(count == 1 ? "" : "s")"
    }

    init(_ number: some BinaryInteger) {
        description =
            number < 1_000_000
            ? Int(number).formatted(.number.locale(Locale(identifier: "en_US")))
            : String(format: "%.1f million", (Double(number) / 1e5).rounded(.down) / 10)
    }
}
