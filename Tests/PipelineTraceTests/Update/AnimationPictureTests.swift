import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

@Suite(.endsHangs) struct AnimationPictureTests {
    /// Of a b c, b leaves over the left edge and x comes over the right one, at the end.
    private func sample() async throws -> (picture: UpdatePicture, transitions: [ViewTransition]) {
        try await PicturedView([["a", "b", "c"]]).update { source, changes in
            changes.deleteItems(at: [ItemPath(0, 1)], animation: .leading)
            changes.insertItems(at: [ItemPath(0, 2)], animation: .trailing)
            source.sections[0].items = ["a", "c", "x"]
        }
    }

    private func frames(_ picture: LayoutPicture) -> [String: Rect] {
        Dictionary(
            picture.elements.map { ($0.key ?? "", $0.attributes.frame) },
            uniquingKeysWith: { $1 }
        )
    }

    private func row(_ x: Double, _ y: Double) -> Rect { Rect(x: x, y: y, width: 200, height: 30) }

    @Test func halfwayEverythingIsInTheMiddleOfItsWay() async throws {
        let (picture, transitions) = try await sample()
        let middle = picture.moment(0.5, of: transitions)
        #expect(
            frames(middle) == [
                "a": row(0, 0), "b": row(-100, 30), "c": row(0, 45), "x": row(100, 60),
            ]
        )
        #expect(middle.elements.map(\.lines) == [["b"], ["a"], ["c"], ["x"]])
    }

    @Test func theBeginningIsAsBeforeAndTheEndAsAfter() async throws {
        let (picture, transitions) = try await sample()
        var expected = frames(picture.old)
        expected["x"] = row(200, 60)
        for progress in [0, -1, -Double.infinity, .nan] {
            #expect(frames(picture.moment(progress, of: transitions)) == expected)
        }
        expected = frames(picture.new)
        expected["b"] = row(-200, 30)
        for progress in [1, 2, Double.infinity] {
            #expect(frames(picture.moment(progress, of: transitions)) == expected)
        }
    }

    @Test func whatFadesIsPale() async throws {
        let scene = try await PicturedView([["a", "b"]])
        let (picture, transitions) = try await scene.update { source, changes in
            changes.reloadItems(at: [ItemPath(0, 0)])
            source.sections[0].items[0] = "x"
        }
        let quarter = picture.moment(0.25, of: transitions)
        let alphas = quarter.elements.map { "\($0.key ?? ""): \($0.attributes.alpha)" }
        #expect(alphas == ["a: 0.75", "x: 0.25", "b: 1.0"])
    }

    @Test func theViewportMovesAlong() {
        var picture = UpdatePicture(old: .rows([["a"]]), new: .rows([["a"]]), edits: [])
        picture.new.bounds.origin = Point(x: 10, y: 40)
        let middle = picture.moment(0.5, of: [])
        #expect(middle.bounds == Rect(x: 5, y: 20, width: 200, height: 100))
        #expect(middle.elements == picture.new.elements)
    }

    @Test func whatIsInNoPictureHasNoText() async throws {
        let (picture, transitions) = try await sample()
        var other = picture
        (other.old.elements, other.new.elements) = ([], [])
        let elements = other.moment(0.5, of: transitions).elements
        #expect(elements.map(\.attributes.indexPath) == [ItemPath(0, 1)])
        #expect(elements.allSatisfy { $0.lines.isEmpty && $0.key == nil })
    }
}
