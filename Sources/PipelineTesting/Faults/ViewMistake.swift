/// A violation of the rules of ``CollectionView``, found by a ``FaultyView``, or a data source
/// whose content differs from the recorded changes, found by
/// ``Simulation/settle(_:_:checksContent:)``.
public struct ViewMistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the mistake.
    public let code: Code

    /// A description of the mistake in one line.
    public let summary: String

    /// The kinds of mistakes. Minor releases may add more.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// After an update, the view does not show the new map of the update.
        case wrongContent
        /// The content changes without an update, or with an update that the view need not show.
        case changedOutsideDeploy
        /// An update is deployed twice, deployed in the wrong order, or finished before it is
        /// deployed.
        case wrongCall
        /// An update is still waiting although no other work is left.
        case neverDeployed
        /// An update was deployed but is not finished although no other work is left.
        case neverFinished
        /// The view keeps an update that it need not show.
        case keptReplaced
        /// The view keeps an update after the controller has closed.
        case keptAfterClose
        /// The view does not show the newest state although no other work is left.
        case notShown
        /// The run does not proceed, or does not finish.
        case hangs
        /// The models or counts of the data source differ from the recorded changes.
        case unrecordedContent
        /// The models of the data source cannot be compared with those of the map.
        case uncheckedContent
    }

    init(_ code: Code, _ summary: String) {
        self.code = code
        self.summary = summary
    }

    /// A suggestion for fixing the mistake.
    public var hint: String {
        switch code {
        case .wrongContent:
            "In the closure of deploy(_:), apply changeSet.edits in order: removals descending by old"
                + " index, then insertions ascending by new index. A reload (isReloadData) replaces"
                + " everything by newMap. Show the items of reconfigurations again"
        case .changedOutsideDeploy:
            "Change the shown content only in the closure of deploy(_:). If deploy(_:) returns false,"
                + " drop the update without showing it"
        case .wrongCall:
            "Queue the updates. Deploy each exactly once, in order, and then finish it"
        case .neverDeployed:
            "Deploy every received update in a later turn, which perform(_:) enqueues on the lane of"
                + " attach(to:), or drop the update"
        case .neverFinished: "Call finish() after the animations of the update, or drop the update"
        case .keptReplaced: "If deploy(_:) returns false, or your closure throws, drop the update"
        case .keptAfterClose: "Drop the waiting updates in controllerDidClose()"
        case .notShown: "Deploy and finish every update"
        case .unrecordedContent:
            "Record every change of the data source in the same batch, at the same index"
        case .uncheckedContent:
            "Give every item an Equatable model (model(forItemAt:)), or call settle with checksContent:"
                + " false and compare the content in another way"
        case .hangs: "Do not wait on the main lane, and enqueue a turn only if there is work for it"
        }
    }

    /// The summary and the hint, in two lines.
    public var description: String { "[\(code.rawValue)] \(summary)\n\(hint)." }
}

/// Describes the difference between two texts, shortened to the part that differs.
enum TextDifference {
    /// About two lines of a terminal.
    private static let room = 120

    static func text(_ shown: String, _ expected: String) -> String {
        let common = zip(shown, expected).prefix { $0 == $1 }.count
        let start = shown.count <= room && expected.count <= room ? 0 : max(0, common - room / 3)
        return "the view shows \(cut(shown, start)) instead of \(cut(expected, start))"
    }

    private static func cut(_ text: String, _ start: Int) -> String {
        let rest = text.dropFirst(start)
        return (start > 0 ? "…" : "") + rest.prefix(room) + (rest.count > room ? "…" : "")
    }
}
