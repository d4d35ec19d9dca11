import PipelineTrace
import SimulatedView
import Testing

@testable import layout_gallery

/// How large a text becomes: a letter is 6 wide, a line 12 high, and 5 are free on every side.
@Suite struct GalleryNodeTests {
    private func size(_ text: String, _ width: Double?, room: Double = .infinity) -> [Double] {
        var range = SizeRange.unconstrained
        range.maximum.width = room
        let size = GalleryNode(GalleryItem("key", text), width: width).textSize(in: range)
        return [size.width, size.height]
    }

    @Test func textsAreAsWideAsTheyNeedOrAsTheyAreToldWithinTheRoom() {
        #expect(size("ab cd", nil) == [40, 22])
        #expect(size("ab cd", 100) == [100, 22])
        #expect(size("ab cd", 30) == [30, 34])
        #expect(size("ab cd", nil, room: 30) == [22, 34])
        #expect(size("ab cd", 100, room: 30) == [30, 34])
        #expect(size("ab cd", 30, room: 100) == [30, 34])
        // No narrower than a letter.
        #expect(size("a", 3) == [16, 22])
        #expect(size("", nil) == [16, 22])
    }

    @Test func estimatesStandInForTheText() {
        let estimate = Size(width: 3, height: 4)
        let node = GalleryNode(GalleryItem("a"), width: 50, estimate: estimate)
        #expect(node.measure(in: .unconstrained) == estimate)
        #expect(node.textSize(in: .unconstrained) == Size(width: 50, height: 22))
        let other = GalleryNode(GalleryItem("a"), width: 50)
        #expect(other.measure(in: .unconstrained) == Size(width: 50, height: 22))
    }

    @Test func textsOfSectionsAreOnHeadersAndFooters() throws {
        let sections = [
            GallerySection("Title", [], footer: "End"), GallerySection("", [], footer: "End"),
            GallerySection("Title", []), GallerySection("", []),
        ]
        let source = GallerySource(sections)
        let kinds = (0..<4).map { source.supplementaryKinds(inSection: $0) }
        #expect(kinds == [[.header, .footer], [.footer], [.header], []])
        let path = ItemPath(section: 0, item: 0)
        let texts = try [SupplementaryKind.header, .footer].map { kind in
            let node = try source.supplementaryNodeProvider(ofKind: kind, at: path)()
            return (node as? GalleryNode)?.item.text
        }
        #expect(texts == ["Title", "End"])
    }

    @Test func booksAreNamedAndQuoted() {
        let book = Texts.openings[1]
        #expect(book == GalleryItem("Moby-Dick", "Call me Ishmael."))
        // The name ends at the first colon.
        let carol = GalleryItem("Carol", "Marley was dead: to begin with.")
        #expect(Texts.openings[7] == carol && Texts.openings.count == 12)
    }
}
