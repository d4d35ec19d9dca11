import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Single edits from any thread", .endsHangs)
struct AsynchronousEditTests {
    typealias Controller = DataController<TextDataSource>

    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let after: [[String]]
        let submit: @Sendable (Controller) async throws(UpdateError) -> UpdateResult
    }

    /// Each of `[["a", "b"], ["c"]]`, with a context.
    static let edits: [Edit] = [
        Edit(testDescription: "insertItems", after: [["x", "a", "b"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.insertItems(at: [ItemPath(0, 0)], context: 1) {
                $0.sections[0].items.insert("x", at: 0)
            }
        },
        Edit(testDescription: "deleteItems", after: [["b"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.deleteItems(at: [ItemPath(0, 0)], context: 1) {
                $0.sections[0].items.removeFirst()
            }
        },
        Edit(testDescription: "reloadItems", after: [["x", "b"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.reloadItems(at: [ItemPath(0, 0)], context: 1) {
                $0.sections[0].items[0] = "x"
            }
        },
        Edit(testDescription: "reconfigureItems", after: [["x", "b"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.reconfigureItems(at: [ItemPath(0, 0)], context: 1) {
                $0.sections[0].items[0] = "x"
            }
        },
        Edit(testDescription: "moveItem", after: [["b"], ["a", "c"]]) {
            controller throws(UpdateError) in
            try await controller.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0), context: 1) {
                $0.sections[1].items.insert($0.sections[0].items.removeFirst(), at: 0)
            }
        },
        Edit(testDescription: "insertSections", after: [["a", "b"], ["x"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.insertSections([1], context: 1) {
                $0.sections.insert(["x"], at: 1)
            }
        },
        Edit(testDescription: "deleteSections", after: [["c"]]) { controller throws(UpdateError) in
            try await controller.deleteSections([0], context: 1) { $0.sections.removeFirst() }
        },
        Edit(testDescription: "reloadSections", after: [["x"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.reloadSections([0], context: 1) { $0.sections[0] = ["x"] }
        },
        Edit(testDescription: "reconfigureSections", after: [["x", "y"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.reconfigureSections([0], context: 1) {
                $0.sections[0].items = ["x", "y"]
            }
        },
        Edit(testDescription: "moveSection", after: [["c"], ["a", "b"]]) {
            controller throws(UpdateError) in
            try await controller.moveSection(0, toSection: 1, context: 1) {
                $0.sections.swapAt(0, 1)
            }
        },
        Edit(testDescription: "reloadSupplementaries", after: [["a", "b"], ["c"]]) {
            controller throws(UpdateError) in
            try await controller.reloadSupplementaries(ofKind: .header, in: [0], context: 1) { _ in
            }
        },
    ]

    @Test(arguments: Substrate.allCases, edits)
    func eachChangesTheModelAndReturnsWhenItIsShown(
        _ substrate: Substrate,
        _ edit: Edit
    ) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        #expect(try await edit.submit(scene.controller).outcome.text == "deployed")
        #expect(scene.controller.visibleMap.texts == edit.after)
        #expect(scene.events.events(.accepted).last?.context as? Int == 1)
        await scene.close()
    }

    /// A closure that throws drops the edit, and one that does not do what the edit says is found out.
    @Test(arguments: Substrate.allCases)
    func anEditThatIsNotDoneIsRejected(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        let threw = await #expect(throws: UpdateError.self) {
            try await controller.deleteItems(at: [ItemPath(0, 0)]) { _ in throw TestFailure() }
        }
        #expect(threw?.code == .updatesThrew)
        let wrong = await #expect(throws: UpdateError.self) {
            try await controller.deleteItems(at: [ItemPath(0, 0)]) { _ in }
        }
        #expect(wrong?.code == .invalidUpdate)
        #expect(controller.visibleMap.texts == [["a"]])
        await scene.close()
    }
}
