import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// States are equal where all that readers see of them is, whatever they came from.
struct PublishedStateEqualityTests {
    private static let model = StateModel(
        sections: [
            StateModel.Section(
                section: PublishedSection(number: 1, payload: PublishedPayload("one")),
                items: [
                    PublishedItem(number: 2, payload: PublishedPayload("a")),
                    PublishedItem(number: 3, payload: nil),
                ]
            ),
            StateModel.Section(section: PublishedSection(number: 4, payload: nil)),
        ]
    )

    /// The model with one thing that is another.
    static let others: [StateModel] = {
        func other(_ edit: (inout StateModel) -> Void) -> StateModel {
            var other = model
            edit(&other)
            return other
        }
        let empty = PublishedPayload("")
        return [
            other { $0.sections[0].items.swapAt(0, 1) },
            other { $0.sections.swapAt(0, 1) },
            other { $0.sections[0].items[1] = PublishedItem(number: 5, payload: nil) },
            other { $0.sections[0].items[1] = PublishedItem(number: 3, payload: empty) },
            other {
                $0.sections[0].items[0] = PublishedItem(number: 2, payload: PublishedPayload("b"))
            },
            other { $0.sections[1].section = PublishedSection(number: 5, payload: nil) },
            other { $0.sections[1].section = PublishedSection(number: 4, payload: empty) },
            other { $0.sections[0].section = PublishedSection(number: 1, payload: nil) },
            other { $0.sections[1].items.append($0.sections[0].items.removeLast()) },
            other { $0.sections.removeLast() },
            other { $0.sections[0].items.removeLast() },
        ]
    }()

    @Test func aStateEqualsOneThatIsMadeAnew() throws {
        #expect(try Self.model.published() == Self.model.published())
        #expect(PublishedState() == (try StateModel().published()))
    }

    @Test(arguments: others)
    func aStateWithOneThingElseIsAnother(_ other: StateModel) throws {
        let (state, changed) = (try Self.model.published(), try other.published())
        #expect(state != changed)
        #expect(changed != state)
        #expect(state.digest != changed.digest)
    }

    @Test func whereAnUpdateLeadsBackTheStateIsAsBefore() throws {
        let state = try Self.model.published()
        var changes = HierarchyChangeSet()
        changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 0))
        changes.moveSection(0, toSection: 1)
        let there = try changes.validated(from: [2, 0], to: [1, 1])
        let moved = state.applying(there, PublishedContents())
        #expect(moved != state)
        #expect(moved.section(at: 1) == state.section(at: 0))
        #expect(moved.item(at: ItemPath(0, 0)) == state.item(at: ItemPath(0, 0)))
        #expect(moved.applying(there.inverted, PublishedContents()) == state)
    }
}
