/// Something that a view does otherwise than ``CollectionView`` says, found by a ``FaultyView``; or a data source whose
/// content is not what was recorded, found by ``Simulation/settle(_:_:checksContent:)``.
public struct ViewMistake: Error, Hashable, Sendable {
    /// Which mistake it is.
    public let code: Code

    /// What was found, in one line.
    public let summary: String

    /// The mistakes; there may be more in minor releases.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// What is shown after an update is not its new map.
        case wrongContent
        /// What is shown changes without an update, or with one that need not be shown.
        case changedOutsideDeploy
        /// An update is deployed twice, in another order, or finished first.
        case wrongCall
        /// An update waits when nothing is left to happen.
        case neverDeployed
        /// An update was deployed, and is not finished when nothing is left to happen.
        case neverFinished
        /// An update that need not be shown is kept.
        case keptReplaced
        /// An update is kept when the controller has closed.
        case keptAfterClose
        /// When nothing is left to happen the view does not show the newest state.
        case notShown
        /// Nothing goes on, or nothing comes to rest.
        case hangs
        /// The data source has other models or counts than were recorded.
        case unrecordedContent
        /// The models of the data source cannot be compared with those of the map.
        case uncheckedContent
    }

    init(_ code: Code, _ summary: String) {
        self.code = code
        self.summary = summary
    }

    /// What to do about it.
    public var hint: String {
        switch code {
        case .wrongContent:
            "Within deploy(_:) apply changeSet.edits in their order: removals descending by old index, then"
                + " insertions ascending by new index; a reload (isReloadData) replaces everything by"
                + " newMap, and reconfigurations show their items again"
        case .changedOutsideDeploy:
            "Change what is shown within the closure of deploy(_:) alone; where deploy(_:) returns"
                + " false, drop the update and show nothing of it"
        case .wrongCall:
            "Keep updates in a queue, deploy the first, once, and finish it after that"
        case .neverDeployed:
            "Whatever is received needs a later turn that deploys it: enqueue one on the lane of"
                + " attach(to:), or drop the update"
        case .neverFinished: "Call finish() when the update's animations are done, or drop it"
        case .keptReplaced: "Where deploy(_:) returns false or throws, drop the update"
        case .keptAfterClose: "Drop what waits in controllerDidClose()"
        case .notShown: "Deploy every update that comes, and finish it"
        case .unrecordedContent:
            "Record every change in the batch that makes it, at the index where it is made"
        case .uncheckedContent:
            "Give every item an Equatable model (model(forItemAt:)), or call settle with checksContent:"
                + " false and compare in another way"
        case .hangs: "Do not wait on the main lane, and enqueue a turn only where there is work"
        }
    }
}

extension ViewMistake: CustomStringConvertible {
    /// What was found, and what to do about it, in two lines.
    public var description: String { "[\(code.rawValue)] \(summary)\nDo: \(hint)" }
}

/// Two texts that differ, cut to where they do.
enum TextDifference {
    /// About two lines of a terminal.
    private static let room = 120

    static func text(_ shown: String, _ expected: String) -> String {
        let common = zip(shown, expected).prefix { $0 == $1 }.count
        let start = shown.count <= room && expected.count <= room ? 0 : max(0, common - room / 3)
        return "the view shows \(cut(shown, start)) in place of \(cut(expected, start))"
    }

    private static func cut(_ text: String, _ start: Int) -> String {
        let rest = text.dropFirst(start)
        return (start > 0 ? "…" : "") + rest.prefix(room) + (rest.count > room ? "…" : "")
    }
}
