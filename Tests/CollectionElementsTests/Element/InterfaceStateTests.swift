import CollectionElements
import TestSupport
import Testing

@Suite("What is asked of a node")
struct InterfaceStateTests {
    private final class NotingNode: RangeManagedNode {
        let told = Journal<String>()

        func measure(in range: SizeRange) -> Size { .zero }

        func didEnterPreloadState() { told.append("+preload") }
        func didExitPreloadState() { told.append("-preload") }
        func didEnterDisplayState() { told.append("+display") }
        func didExitDisplayState() { told.append("-display") }
        func didEnterVisibleState() { told.append("+visible") }
        func didExitVisibleState() { told.append("-visible") }

        func interfaceStateDidChange(
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) { told.append("\(oldState) > \(newState)") }
    }

    private static let singles: [(InterfaceState, String)] = [
        (.preload, "preload"), (.display, "display"), (.visible, "visible"),
    ]

    /// From each of the eight states to each.
    @Test func everyChangeIsToldInOrder() {
        for old in (0..<8).map(InterfaceState.init(rawValue:)) {
            for new in (0..<8).map(InterfaceState.init(rawValue:)) {
                let node = NotingNode()
                node.interfaceStateChanges(to: new, from: old)
                let ended = Self.singles.reversed()
                    .filter { old.contains($0.0) && !new.contains($0.0) }.map { "-\($0.1)" }
                let begun = Self.singles
                    .filter { new.contains($0.0) && !old.contains($0.0) }.map { "+\($0.1)" }
                let whole = old == new ? [] : ["\(old) > \(new)"]
                #expect(node.told.values == ended + begun + whole, "\(old) > \(new)")
            }
        }
    }

    @Test func aStateIsNamedByWhatIsAsked() {
        let described: [(InterfaceState, String)] = [
            ([], "none"), (.preload, "preload"), ([.preload, .display], "preload, display"),
            ([.preload, .display, .visible], "preload, display, visible"),
        ]
        for (state, text) in described { #expect(state.description == text) }
    }

    @Test func aNodeNeedsToAnswerNothing() {
        final class SilentNode: RangeManagedNode {
            func measure(in range: SizeRange) -> Size { .zero }
        }
        let node = SilentNode()
        node.interfaceStateChanges(to: [.preload, .display, .visible], from: [])
        node.interfaceStateChanges(to: [], from: [.preload, .display, .visible])
    }
}
