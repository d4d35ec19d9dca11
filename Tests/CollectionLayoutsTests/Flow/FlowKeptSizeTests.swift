import TestSupport
import Testing

@testable import CollectionLayouts

/// A flow layout whose contexts are not of its own class, which is a mistake.
private final class ForeignFlow: FlowLayout {
    override class var invalidationContextClass: LayoutInvalidationContext.Type {
        LayoutInvalidationContext.self
    }
}

@Suite("Sizes that views asked a flow layout for")
struct FlowKeptSizeTests {
    private func sized(_ layout: FlowLayout) throws -> ScriptedHost {
        let items = [Size?](repeating: nil, count: 4)
        let host = ScriptedHost([ScriptedSection(items: items, line: 0)])
        layout.estimatedItemSize = Size(width: 300, height: 50)
        _ = host.lay(layout)
        let original = try #require(
            layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))
        )
        _ = layout.prefer(Size(width: 300, height: 80), to: original)
        #expect(layout.frames().map(\.size.height) == [80, 50, 50, 50])
        return host
    }

    @Test func aReloadForgetsThemWhateverTheContext() throws {
        for layout in [FlowLayout(), ForeignFlow()] {
            let host = try sized(layout)
            let context = type(of: layout).invalidationContextClass.init()
            context.invalidatesEverything = true
            context.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: context)
            layout.prepare()
            #expect(layout.frames().map(\.size.height) == [50, 50, 50, 50])
            withExtendedLifetime(host) {}
        }
    }

    /// Whether something else has changed before it is laid out, or the contexts are another class's.
    @Test(arguments: [false, true], [false, true])
    func inAnUpdateTheyStayWithTheirItems(_ changesMetrics: Bool, _ isForeign: Bool) throws {
        let layout = isForeign ? ForeignFlow() : FlowLayout()
        let host = try sized(layout)
        if changesMetrics { layout.sectionInset = EdgeInsets(top: 5) }
        var sections = host.sections
        sections[0].items = Array(repeating: nil, count: 5)
        try layout.update(host, to: sections) { changes in
            changes.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(layout.frames().map(\.size.height) == [50, 50, 80, 50, 50])
        #expect(layout.frames().first?.minY == (changesMetrics ? 5 : 0))
    }
}
