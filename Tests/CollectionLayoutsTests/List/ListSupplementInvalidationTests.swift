import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Headers and footers that a list asks for again")
struct ListSupplementInvalidationTests {
    private func host() -> ScriptedHost {
        let sections = (0..<3).map { _ in
            var section = ScriptedSection.uniform(2, 1, 10)
            (section.header, section.footer) = (4, 6)
            return section
        }
        let host = ScriptedHost(sections)
        host.metrics?.isWritingDown = true
        return host
    }

    /// In the order of their sections; those of sections that are not there are left out.
    @Test func thoseThatAreListedAreAskedForAndNothingElse() {
        let host = host()
        let layout = host.lay(ListLayout())
        let asked = host.metrics?.questions.count ?? 0
        host.sections[2].footer = 9
        host.sections[0].header = 5
        let context = LayoutInvalidationContext()
        context.invalidateSupplementaryElements(
            ofKind: .footer,
            at: [ItemPath(2, 0), ItemPath(7, 0), ItemPath(-1, 0)]
        )
        context.invalidateSupplementaryElements(
            ofKind: .header,
            at: [ItemPath(2, 0), ItemPath(0, 0)]
        )
        context.invalidateSupplementaryElements(
            ofKind: SupplementaryKind(rawValue: "badge"),
            at: [ItemPath(1, 0)]
        )
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(host.metrics?.questions.dropFirst(asked) == ["metrics 0", "metrics 2"])
        #expect(layout.collectionViewContentSize.height == 94)
        layout.prepare()
        #expect(host.metrics?.questions.count == asked + 2)
    }

    @Test func anUpdateInBetweenTakesThemAlong() throws {
        let host = host()
        let layout = host.lay(ListLayout())
        let asked = host.metrics?.questions.count ?? 0
        let context = LayoutInvalidationContext()
        context.invalidateSupplementaryElements(
            ofKind: .header,
            at: [ItemPath(0, 0), ItemPath(2, 0)]
        )
        layout.invalidateLayout(with: context)
        var sections = Array(host.sections.dropFirst())
        sections[1].header = 14
        try layout.update(host, to: sections) { $0.deleteSections([0]) }
        #expect(host.metrics?.questions.dropFirst(asked) == ["metrics 1"])
        #expect(layout.collectionViewContentSize.height == 70)
    }

    /// A view is not asked again while it scrolls, so what it preferred must stay.
    @Test func whatAViewPreferredStaysUntilTheAnswerIsAnother() throws {
        for place in [LayoutPlace.header(1), .footer(1)] {
            let host = host()
            let layout = ListLayout()
            layout.estimatesHeights = true
            _ = host.lay(layout)
            let original = try #require(layout.layoutAttributes(for: place))
            var preferred = original
            preferred.size.height = 60
            layout.invalidateLayout(
                with: layout.invalidationContext(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: original
                )
            )
            layout.prepare()
            for (answer, height) in [(nil, 60.0), (7.0, 7), (nil, 7)] {
                if let answer {
                    (host.sections[1].header, host.sections[1].footer) = (answer, answer)
                }
                let context = LayoutInvalidationContext()
                for kind in [SupplementaryKind.header, .footer] {
                    context.invalidateSupplementaryElements(ofKind: kind, at: [ItemPath(1, 0)])
                }
                layout.invalidateLayout(with: context)
                layout.prepare()
                #expect(layout.layoutAttributes(for: place)?.size.height == height)
            }
        }
    }
}
