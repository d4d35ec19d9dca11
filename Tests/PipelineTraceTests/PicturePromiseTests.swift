import PipelineTestSupport
import PipelineTrace
import Testing

@testable import SimulatedView

@Suite struct PicturePromiseTests {
    private func root(_ change: (inout PictureStyle) -> Void) throws -> ParsedSVG.Node {
        var style = PictureStyle()
        change(&style)
        let picture = UpdatePicture(
            old: .rows([["a", "b"]]),
            new: .rows([["b"]]),
            edits: [.deleted(old: .cell(ItemPath(section: 0, item: 0)))]
        )
        return try ParsedSVG.root(of: picture.svg(style: style))
    }

    @Test func whatIsNoPositiveScaleCountsAsOneAndMoreThanAHundredAsAHundred() throws {
        func width(_ scale: Double) throws -> Double {
            try #require(try root { $0.scale = scale }.number("width"))
        }
        let plain = try width(1)
        for scale in [0, -1, -0.0, .nan, -.infinity, .infinity] {
            #expect(try width(scale) == plain, "\(scale)")
        }
        for scale in [0.25, 2, 99, 100] { #expect(try width(scale) == plain * scale) }
        for scale in [100.5, 1e9, .greatestFiniteMagnitude] {
            #expect(try width(scale) == plain * 100)
        }
    }

    @Test func ofAPrefixOnlyLettersDigitsAndHyphensAreKept() throws {
        for (prefix, kept) in [
            ("one-2-Three", "one-2-Three"), ("a b\"<c>&_.#é", "abc"), ("", ""), ("👍🏽", ""),
        ] {
            let names = try root { $0.namePrefix = prefix }.all(named: "pattern")
                .compactMap { $0.attributes["id"] }
            #expect(!names.isEmpty)
            #expect(names.allSatisfy { $0.hasPrefix("p-\(kept)-") }, "\(prefix)")
            #expect(Set(names).count == names.count)
        }
    }

    @Test func theLegendStandsOnlyWhereItIsWanted() throws {
        #expect(try root { $0.showsLegend = true }.all(ofClass: "legend").count == 1)
        let without = try root { $0.showsLegend = false }
        #expect(without.all(ofClass: "legend").isEmpty)
        #expect(!without.all(ofClass: "badges").isEmpty)
        let heights = try [true, false].map { shows in
            try #require(try root { $0.showsLegend = shows }.number("height"))
        }
        #expect(heights[1] < heights[0])
    }

    /// Against a plain model of the identities.
    @Test(arguments: Array(1...30) as [UInt64])
    func keysThatCameWentOrHaveAnotherFrameAreMarkedAndTheLastOfAKeyCounts(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func picture() -> LayoutPicture {
            var elements: [PicturedElement] = []
            for item in 0..<12 {
                // Some without a key, some with one that others have too.
                let key = random.isTrue(oneIn: 5) ? nil : "\(random.next(below: 14))"
                let frame = Rect(x: 0, y: Double(random.next(below: 3) * 10), width: 9, height: 9)
                elements.append(cell(0, item, frame, key: key))
            }
            return LayoutPicture(
                bounds: Rect(x: 0, y: 0, width: 100, height: 100),
                contentSize: Size(width: 100, height: 100),
                elements: elements
            )
        }
        func last(_ picture: LayoutPicture) -> [String: LayoutAttributes] {
            var found: [String: LayoutAttributes] = [:]
            for element in picture.elements {
                if let key = element.key { found[key] = element.attributes }
            }
            return found
        }
        let (old, new) = (picture(), picture())
        let (before, after) = (last(old), last(new))
        var expected: Set<UpdatePicture.Edit> = []
        for (key, attributes) in before {
            guard let now = after[key] else {
                expected.insert(.deleted(old: attributes.place))
                continue
            }
            if now.frame != attributes.frame {
                expected.insert(.moved(old: attributes.place, new: now.place))
            }
        }
        for (key, attributes) in after where before[key] == nil {
            expected.insert(.inserted(new: attributes.place))
        }
        let edits = UpdatePicture(matching: old, with: new).edits
        #expect(Set(edits) == expected && edits.count == expected.count)
        #expect(UpdatePicture(matching: old, with: new).edits == edits, "in one order")
    }

    @Test func reconfigurationsAreNotMarkedAndNeitherIsWhatMadeWay() throws {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        changes.reconfigureItems(at: [ItemPath(section: 0, item: 1)])
        let picture = UpdatePicture(
            old: .rows([["a", "b"]]),
            new: .rows([["x", "a", "b"]]),
            applying: try changes.validated(from: [2], to: [3])
        )
        #expect(picture.edits == [.inserted(new: .cell(ItemPath(section: 0, item: 0)))])
    }

    /// What goes looks as before, all else as afterwards.
    @Test func inAMomentWhatGoesLooksAsBeforeAndAllElseAsAfterwards() {
        var (old, new) = (LayoutPicture.rows([["a", "b"]]), LayoutPicture.rows([["b"]]))
        old.elements[0].isSelected = true
        new.elements[0].lines = ["new"]
        new.title = "after"
        let gone = old.elements[0].attributes
        var end = gone
        end.center.x -= 100
        let (start, now) = (old.elements[1].attributes, new.elements[0].attributes)
        let picture = UpdatePicture(old: old, new: new, edits: [])
        let middle = picture.moment(
            0.5,
            of: [
                ViewTransition(oldPlace: gone.place, newPlace: nil, start: gone, end: end),
                ViewTransition(oldPlace: start.place, newPlace: now.place, start: start, end: now),
            ]
        )
        #expect(middle.elements.map(\.lines) == [["a"], ["new"]])
        #expect(middle.elements.map(\.isSelected) == [true, false])
        #expect(middle.elements.map(\.attributes.frame.minX) == [-50, 0])
        #expect(middle.elements.map(\.attributes.frame.minY) == [0, 15])
        #expect(middle.title == "after" && middle.contentSize == new.contentSize)
    }
}
