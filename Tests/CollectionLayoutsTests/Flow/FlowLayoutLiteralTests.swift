import CollectionLayouts
import Testing

/// Frames as UIKit has them, written out: from the tests of OpenUXKit and IGListKit, and from UIKit's
/// documented behaviour.
@Suite struct FlowLayoutLiteralTests {
    private func frames(_ layout: FlowLayout, _ section: Int = 0) -> [Rect] {
        var frames: [Rect] = []
        while let frame = layout.frame(ofItem: ItemPath(section: section, item: frames.count)) {
            frames.append(frame)
        }
        return frames
    }

    private func origins(_ layout: FlowLayout) -> [Point] { frames(layout).map(\.origin) }

    @Test func tenEqualItemsWrapAsSixAndFourOnOneGrid() {
        let host = ScriptedHost([.uniform(10, 50, 50)], width: 320)
        host.sections[0].interitem = 4
        let points = origins(host.lay(FlowLayout()))
        #expect(points.prefix(6).map(\.x) == [0, 54, 108, 162, 216, 270])
        #expect(points.dropFirst(6).map(\.x) == [0, 54, 108, 162])
        #expect(points.map(\.y) == Array(repeating: 0, count: 6) + Array(repeating: 60, count: 4))
    }

    @Test func horizontalLinesAreColumns() {
        let host = ScriptedHost([.uniform(10, 40, 40)], width: 320, height: 450)
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        let points = origins(host.lay(layout))
        #expect(points[8] == Point(x: 0, y: 410))
        #expect(points[9] == Point(x: 50, y: 0))
        #expect(layout.collectionViewContentSize == Size(width: 90, height: 450))
    }

    @Test func mixedSizesAreCentredInTheirLineAndJustified() {
        let sizes = [(50, 20), (100, 60), (120, 40), (80, 10)].map {
            Size(width: $0.0, height: $0.1)
        }
        let host = ScriptedHost([ScriptedSection(items: sizes)], width: 300)
        #expect(
            frames(host.lay(FlowLayout())) == [
                Rect(x: 0, y: 20, width: 50, height: 20),
                Rect(x: 65, y: 0, width: 100, height: 60),
                Rect(x: 180, y: 10, width: 120, height: 40),
                Rect(x: 0, y: 70, width: 80, height: 10),
            ]
        )
    }

    @Test func twoSectionsFollowWithoutAGap() {
        let host = ScriptedHost([.uniform(4, 100, 50), .uniform(2, 100, 50)], width: 320)
        host.sections[0].header = 20
        host.sections[1].inset = EdgeInsets(top: 10, left: 10, bottom: 30, right: 10)
        host.sections[1].footer = 20
        let layout = host.lay(FlowLayout())
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 240))
        #expect(layout.frame(ofSection: 1) == Rect(x: 0, y: 130, width: 320, height: 110))
        #expect(frames(layout, 1).map(\.origin) == [Point(x: 10, y: 140), Point(x: 210, y: 140)])
        let footer = layout.frame(ofSupplementary: .footer, at: ItemPath(section: 1, item: 0))
        #expect(footer == Rect(x: 0, y: 220, width: 320, height: 20))
    }

    @Test func exactFitsFit() {
        let host = ScriptedHost([.uniform(3, 100, 10)], width: 320)
        #expect(origins(host.lay(FlowLayout())).map(\.x) == [0, 110, 220])
        host.sections = [.uniform(4, 33, 10)]
        host.sections[0].interitem = 0.5
        host.bounds.size.width = 133.5
        host.displayScale = 2
        #expect(origins(host.lay(FlowLayout())).map(\.x) == [0, 33.5, 67, 100.5])
        host.sections[0].items[0] = Size(width: 33, height: 11)
        host.sections[0].items.append(Size(width: 1, height: 1))
        #expect(origins(host.lay(FlowLayout())).map(\.x) == [0, 33.5, 67, 100.5, 0])
    }

    @Test func widthsAreComparedAsTheyAre() {
        // What two thirds leave is less than a third, by the last digit.
        let third = 320.0 / 3
        let items = [1.0, 2, 3].map { Size(width: third, height: $0) }
        let host = ScriptedHost([ScriptedSection(items: items, interitem: 0)])
        #expect(origins(host.lay(FlowLayout())).map(\.y) == [1, 0, 12])
    }

    @Test func aBustRowBeginsAtTheInsetAgain() {
        let sizes = [Size(width: 60, height: 10), Size(width: 50, height: 12)]
        let host = ScriptedHost([ScriptedSection(items: sizes + sizes)], width: 100)
        let layout = FlowLayout()
        layout.sectionInset = EdgeInsets(top: 1, left: 5, bottom: 2, right: 5)
        // Single items are centred, in the dimension and not between the insets.
        #expect(origins(host.lay(layout)).map(\.x) == [20, 25, 20, 25])
        #expect(origins(layout).map(\.y) == [1, 21, 43, 63])
    }

    @Test func aSingleItemIsCentredBetweenTheInsetsIfAllAreEqual() {
        let host = ScriptedHost([.uniform(1, 50, 50)], width: 320)
        let layout = FlowLayout()
        layout.sectionInset = EdgeInsets(left: 100)
        #expect(origins(host.lay(layout)).map(\.x) == [185])
    }

    @Test func anItemThatIsTooWideIsAloneAndCentred() {
        let sizes = [Size(width: 10, height: 10), Size(width: 400, height: 10), Size.zero]
        let host = ScriptedHost([ScriptedSection(items: sizes)], width: 320)
        let layout = host.lay(FlowLayout())
        #expect(origins(layout).map(\.x) == [155, -40, 160])
        #expect(layout.errors.map(\.code) == [.itemExceedsLine])
        #expect(
            layout.errors[0].message.contains(
                "the item width must be less than the width of the UICollectionView minus the"
                    + " section insets left and right values, minus the content insets left and"
                    + " right values. Please check the values returned by the delegate."
            )
        )
    }

    @Test func emptySectionsHaveHeadersInsetsAndFooters() {
        let host = ScriptedHost([ScriptedSection(header: 10, footer: 20)], width: 320)
        let layout = FlowLayout()
        layout.sectionInset = EdgeInsets(top: 5, bottom: 6)
        #expect(host.lay(layout).collectionViewContentSize == Size(width: 320, height: 41))
    }

    @Test func whatDoesNotExistHasNoAttributes() {
        let host = ScriptedHost([.uniform(1, 50, 50)], width: 320)
        let layout = host.lay(FlowLayout())
        for path in [
            ItemPath(section: 0, item: 1), ItemPath(section: 1, item: 0),
            ItemPath(section: -1, item: 0), ItemPath(section: 0, item: -1),
            ItemPath(section: .max, item: .min),
        ] {
            #expect(layout.layoutAttributesForItem(at: path) == nil)
            #expect(layout.layoutAttributesForSupplementaryView(ofKind: .header, at: path) == nil)
        }
        let header = ItemPath(section: 0, item: 0)
        #expect(layout.layoutAttributesForSupplementaryView(ofKind: .header, at: header) == nil)
        #expect(layout.frame(ofSection: 1) == nil)
    }

    @Test func withoutRoomThereIsNothing() {
        let host = ScriptedHost([.uniform(3, 50, 50)], width: 0)
        let layout = host.lay(FlowLayout())
        #expect(layout.collectionViewContentSize == .zero)
        #expect(layout.layoutAttributesForElements(in: Rect(x: 0, y: 0, width: 9, height: 9)) == [])
        host.bounds.size.width = 320
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 50))
    }

    @Test func headersAreInFrontOfItems() {
        let host = ScriptedHost([.uniform(1, 50, 50)], width: 320)
        host.sections[0].header = 10
        let all = host.lay(FlowLayout()).layoutAttributesForElements(in: host.bounds)
        #expect(all.map(\.zIndex) == [0, 10])
        #expect(all.map(\.place) == [.cell(ItemPath(section: 0, item: 0)), .header(0)])
    }
}
