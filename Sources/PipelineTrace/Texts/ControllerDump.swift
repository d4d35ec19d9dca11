import CollectionElements
import CollectionPipeline

/// The state of a controller as text, for finding out why it does not proceed.
///
/// ```swift
/// print(await controller.dump())
/// ```
///
/// Shape: ``description`` has about thirty lines of at most 100 columns, regardless of the size of
/// the collection. It contains the values of a `PipelineReport`, the relevant configuration, both
/// maps and how they differ, and the waits that exceed `PipelineConfiguration.stallTimeout`. If the
/// main lane does not respond, the dump contains only what is known without it.
public struct ControllerDump: Sendable {
    let report: PipelineReport
    let configuration: PipelineConfiguration
    let pending: ElementMap
    let visible: ElementMap
    let lane: String

    /// The maximum number of entries shown for each list.
    private static let listed = 10
}

extension DataController {
    /// Returns a description of what the controller is doing and waiting for. If the main lane does
    /// not respond within a second, the result describes the rest of the controller.
    ///
    /// Threading: from anywhere, including the main lane. The call changes nothing.
    ///
    /// Complexity: O(s + b) for s sections and b waiting change sets. The part for the sections
    /// applies only if the shapes differ.
    public func dump() async -> ControllerDump {
        let report = await report()
        return ControllerDump(
            report: report,
            configuration: configuration,
            pending: pendingMap,
            visible: visibleMap,
            lane: lane.label
        )
    }
}

extension ControllerDump: CustomStringConvertible {
    /// The state as text of several lines.
    public var description: String {
        (head + maps + waiting + settings).map { TextColumn.cut($0, 100) }.joined(separator: "\n")
    }

    private var head: [String] {
        let phase = report.details?.phase.rawValue ?? "unknown"
        var lines = ["\(report.pipeline): \(phase), main lane '\(lane)'"]
        if let details = report.details {
            lines.append("  view: \(details.view ?? "none")")
        } else {
            lines.append(
                "  the main lane does not respond: find out what blocks it, or why it is not drained"
            )
        }
        return lines
    }

    // MARK: Maps

    private var maps: [String] {
        var lines = [
            "maps", "  pending   \(Self.text(of: pending))",
            "  visible   \(Self.text(of: visible))",
        ]
        let behind = pending.generation - visible.generation
        if pending.generation == 0 {
            lines.append("  nothing is loaded yet: call reloadData()")
        } else if behind == 0 {
            lines.append("  they are the same: everything that was accepted is shown")
        } else {
            let edits = behind == 1 ? "1 generation" : "\(behind) generations"
            lines.append(
                "  the view is \(edits) behind: \(Self.difference(visible.shape, pending.shape))"
            )
        }
        if let divergence = report.divergence {
            lines.append("  the data source may differ from the pending map: \(divergence)")
        }
        if let error = report.details?.lastError { lines.append("  last rejection: \(error)") }
        return lines
    }

    /// Returns text such as `generation 7: 2 sections, 5 items [3, 2]`.
    private static func text(of map: ElementMap) -> String {
        let counts = map.shape.itemCounts
        var list = counts.prefix(listed).map(String.init)
        if counts.count > listed { list.append("… \(counts.count - listed) more") }
        return "generation \(map.generation): \(counted(map.numberOfSections, "section")),"
            + " \(counted(map.numberOfItems, "item")) [\(list.joined(separator: ", "))]"
    }

    /// Returns the difference between two shapes in a few words. Counts show how much the view
    /// lacks, but not which items.
    private static func difference(_ old: HierarchyShape, _ new: HierarchyShape) -> String {
        guard old != new else { return "the same counts, other content" }
        let sections = new.numberOfSections - old.numberOfSections
        let items = (new.numberOfItems ?? 0) - (old.numberOfItems ?? 0)
        let first = zip(old.itemCounts, new.itemCounts).enumerated().first { $1.0 != $1.1 }
        let place = first.map {
            ", first in section \($0.offset): \($0.element.0) and \($0.element.1) items"
        }
        return "\(signed(sections, "section")), \(signed(items, "item"))\(place ?? "")"
    }

    private static func signed(_ count: Int, _ noun: String) -> String {
        (count > 0 ? "+" : "") + counted(count, noun)
    }

    // MARK: Waiting work

    private var waiting: [String] {
        guard let details = report.details else { return [] }
        var lines = [
            "backlog: \(details.backlog) of \(details.backlogLimit) accepted and not deployed"
        ]
        for waiting in details.waiting.prefix(Self.listed) {
            lines.append("  \(waiting)\(isStalled(waiting) ? " (STALLED)" : "")")
        }
        let others = details.waiting.dropFirst(Self.listed)
        if !others.isEmpty {
            lines.append("  … and \(others.count) more, \(others.count(where: isStalled)) stalled")
        }
        if details.waiting.isEmpty { lines.append("  nothing waits") }
        if details.suspendedForCapacity + details.suspendedForBatch > 0 {
            lines.append(
                "  not admitted yet: \(details.suspendedForCapacity) waiting for capacity,"
                    + " \(details.suspendedForBatch) waiting for the end of the open batch"
            )
        }
        return lines
    }

    /// Whether the observer was notified of the wait as a stall, as far as the duration is known.
    private func isStalled(_ waiting: PipelineReport.Waiting) -> Bool {
        guard let timeout = configuration.stallTimeout, let duration = waiting.duration else {
            return false
        }
        return duration > timeout
    }

    // MARK: Configuration

    private var settings: [String] {
        var rows = [
            ("profile", "\(configuration.profile)"),
            (
                "limits",
                "\(configuration.limits.sections) sections, \(configuration.limits.items) items"
            ),
            ("full backlog", "\(configuration.backlogPolicy)"),
            ("rejection", "\(configuration.rejectionPolicy)"),
            ("measuring", "\(configuration.measuringPolicy)"),
            (
                "stalls after",
                configuration.stallTimeout.map { "\($0.shortText), if there is an observer" }
                    ?? "never"
            ),
        ]
        let switches = [
            ("decomposesMoves", configuration.decomposesMoves),
            ("releasesNodes", configuration.releasesNodes),
            ("relayoutsWhenSizeRangeChanges", configuration.relayoutsWhenSizeRangeChanges),
        ]
        rows.append(("switched on", Self.list(switches.filter(\.1).map(\.0))))
        if configuration.contentCheck != .never {
            rows.append(("content check", "\(configuration.contentCheck)"))
        }
        return ["configuration"] + rows.map { "  " + TextColumn.left($0.0, 14) + $0.1 }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}
