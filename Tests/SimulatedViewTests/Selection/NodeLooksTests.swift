import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("How nodes were told to look")
struct NodeLooksTests {
    private final class Plain: SelectableNode {
        func measure(in range: SizeRange) -> Size { .zero }
    }

    private typealias Look = NodeLooks.Look

    private let selected = Look(isSelected: true)
    private let path = ItemPath(section: 0, item: 4)
    private let touched = Look(isSelected: true, isHighlighted: true)

    @Test func onlyNewsAreTold() {
        let node = Plain()
        var looks = NodeLooks()
        #expect(looks.set(node, ofItemAt: path, .plain) == nil)
        let first = looks.set(node, ofItemAt: path, selected)
        #expect(first?.node === node && first?.old == .plain && first?.new == selected)
        #expect(first?.path == path)
        #expect(looks.set(node, ofItemAt: path, selected) == nil)
        let second = looks.set(node, ofItemAt: path, touched)
        #expect(second?.old == selected && second?.new == touched)
        #expect(looks.set(node, ofItemAt: path, .plain)?.old == touched)
        #expect(looks.set(node, ofItemAt: path, .plain) == nil)
    }

    @Test func whatIsNotKeptLooksPlainInTheOrderOfTelling() {
        let nodes = (0..<6).map { _ in Plain() }
        var looks = NodeLooks()
        for index in [3, 0, 4, 1, 5, 2] { _ = looks.set(nodes[index], ofItemAt: path, selected) }
        // The first time counts.
        _ = looks.set(nodes[3], ofItemAt: path, touched)
        let gone = looks.keepOnly([ObjectIdentifier(nodes[0]), ObjectIdentifier(nodes[5])])
        #expect(gone.map { change in nodes.firstIndex { $0 === change.node } } == [3, 4, 1, 2])
        #expect(gone.map(\.old) == [touched, selected, selected, selected])
        #expect(gone.allSatisfy { $0.new == .plain && $0.path == path })
        #expect(looks.keepOnly([ObjectIdentifier(nodes[0])]).map { $0.node === nodes[5] } == [true])
        let answers = [5, 0].map { looks.set(nodes[$0], ofItemAt: path, selected) != nil }
        #expect(answers == [true, false])
    }

    @Test func whoLooksPlainIsNotKept() {
        var looks = NodeLooks()
        var node: Plain? = Plain()
        weak let last = node
        for look in [touched, .plain] {
            if let node { _ = looks.set(node, ofItemAt: path, look) }
        }
        node = nil
        #expect(last == nil)
    }

    /// What a node does not want to hear it need not have.
    @Test func bothAreTakenByDefault() {
        let node: any SelectableNode = Plain()
        node.selectionDidChange(to: true)
        node.highlightDidChange(to: true)
    }
}
