import Testing

@testable import CollectionChanges

@Suite struct RemovalOptionsTests {
    private func stretch(_ section: Int, _ item: Int, _ count: Int) -> ItemStretch {
        ItemStretch(oldSection: section, oldItem: item, count: count)
    }

    @Test func everyItemHasTheOptionNotedForIt() {
        var options = RemovalOptions()
        options.note(stretch(1, 6, 2), .top)
        options.note(stretch(1, 0, 1), .fade)
        options.note(stretch(1, 3, 2), .automatic)
        options.note(stretch(1, 2, 1), .bottom)
        options.note(stretch(0, 1, 4), .none)
        let items = options.items(ofSection: 1)
        let expected: [AnimationOption] = [
            .fade, .automatic, .bottom, .automatic, .automatic, .automatic, .top, .top, .automatic,
        ]
        #expect(expected.indices.map { items.animation(of: $0) } == expected)
        let others = options.items(ofSection: 0)
        #expect((0..<6).map { others.animation(of: $0) }[1...4].allSatisfy { $0 == .none })
        #expect(others.animation(of: 0) == .automatic && others.animation(of: 5) == .automatic)
        #expect(options.items(ofSection: 2).animation(of: 0) == .automatic)
    }

    @Test func whatIsNewLeavesNothing() {
        var options = RemovalOptions()
        let new = ItemStretch.fresh(3)
        options.note(new, .fade)
        #expect(options.items(ofSection: new.oldSection).animation(of: 0) == .automatic)
    }

    @Test func aSectionThatIsGoneTakesItsItemsOptionsWithIt() {
        var options = RemovalOptions()
        options.note(stretch(0, 0, 2), .fade)
        options.note(stretch(1, 0, 2), .fade)
        options.note(section: 1, .top)
        #expect(options.items(ofSection: 1).animation(of: 0) == .automatic)
        #expect(options.items(ofSection: 0).animation(of: 0) == .fade)
        #expect(options.animation(ofSection: 1) == .top)
        #expect(options.animation(ofSection: 0) == .automatic)
        options.note(section: 0, .automatic)
        #expect(options.items(ofSection: 0).animation(of: 0) == .automatic)
        #expect(options.animation(ofSection: 0) == .automatic)
    }
}
