import CollectionLayouts
import Testing

@testable import PipelineTrace

@Suite("What is in a panel") struct PicturePanelTests {
    private let bounds = Rect(x: 0, y: 0, width: 200, height: 100)

    @Test func insetsAreOutlinedWhereTheyLeaveSomethingThatCanBeDrawn() throws {
        for (insets, isOutlined) in [
            (EdgeInsets(top: 99), true), (EdgeInsets(left: 199.5), true),
            (EdgeInsets(left: -50), true), (.zero, false), (EdgeInsets(top: 100), false),
            (EdgeInsets(left: 150, right: 60), false), (EdgeInsets(left: -2e9), false),
            (EdgeInsets(bottom: -2e9), false), (EdgeInsets(top: 2e9), false),
        ] {
            var picture = LayoutPicture(bounds: bounds, contentSize: bounds.size)
            picture.insets = insets
            let root = try ParsedSVG.root(of: picture.svg())
            for layer in ["panel", "legend"] {
                let lines = root.all(ofClass: layer).flatMap { $0.all(ofClass: "insets") }
                #expect(lines.count == (isOutlined ? 1 : 0), "\(insets) in the \(layer)")
            }
            let labels = root.all(ofClass: "legend").flatMap { $0.all(named: "text") }.map(\.text)
            #expect(labels == (isOutlined ? ["viewport", "insets"] : ["viewport"]), "\(insets)")
        }
    }

    /// An element is drawn around its middle and turned then, so its own numbers must fit as well.
    @Test func whatFitsOnlyOnceItIsTransformedIsLeftOut() {
        func unusable(_ change: (inout LayoutAttributes) -> Void) -> [Int] {
            var element = cell(0, 0, Rect(x: 40, y: 40, width: 10, height: 10))
            change(&element.attributes)
            let frame = element.attributes.frame
            #expect(PictureArea.isDrawable(frame) && frame.intersects(bounds), "\(frame)")
            let panel = PicturePanel(
                LayoutPicture(bounds: bounds, contentSize: bounds.size, elements: [element])
            )
            return [panel.elements.count, panel.leftOut.unusable]
        }
        for (number, expected) in [(1e8, [1, 0]), (2e9, [0, 1])] {
            #expect(
                unusable {
                    $0.center.x += number
                    $0.transform = AffineTransform(translationX: -number, y: 0)
                } == expected
            )
            #expect(
                unusable {
                    $0.size.height = number
                    $0.transform = AffineTransform(scaleX: 1, y: 1e-8)
                } == expected
            )
        }
    }

    @Test func sectionsThatMovedAreDrawnInTheOrderOfTheirNumbers() throws {
        let picture = UpdatePicture(
            old: .rows([["a"], ["b"]]),
            new: .rows([["b"], ["a"]]),
            edits: [.movedSection(old: 0, new: 1), .movedSection(old: 1, new: 0)]
        )
        let root = try ParsedSVG.root(of: picture.svg())
        let outlines = root.all(ofClass: "panel").map { panel in
            panel.all(ofClass: "moved-section").map { $0.number("y") }
        }
        #expect(outlines == [[0, 30], [30, 0]])
        let numbers = root.all(ofClass: "badges").map { $0.all(named: "text").map(\.text) }
        #expect(numbers == [["1", "2"], ["1", "2"]])
        let starts = root.all(ofClass: "arrow").map { $0.all(named: "circle").first?.number("cy") }
        let middles = [15.0, 45].map { root.onSheet(Point(x: 200, y: $0), panel: 0)?.y }
        #expect(starts == middles && !starts.contains(nil))
    }
}
