import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Verdicts", .endsHangs)
struct VerdictTests {
    private static let sections: [TextDataSource.Section] = [["a", "b"], ["c", "d"]]

    /// Loads, submits one batch, and answers the code of its rejection, or nil.
    private func verdict(
        _ substrate: Substrate,
        _ updates: @escaping @Sendable (TextDataSource, inout BatchRecorder) -> Void
    ) async throws -> HierarchyUpdateError.Code? {
        let scene = Scene(substrate, Self.sections)
        try await scene.controller.reloadData()
        var code: HierarchyUpdateError.Code?
        do throws(UpdateError) {
            try await scene.controller.performBatchUpdates(updates)
        } catch {
            code = error.hierarchyError?.code
        }
        await scene.close()
        return code
    }

    @Test(arguments: Substrate.allCases)
    func validEditsAreAccepted(_ substrate: Substrate) async throws {
        let insert = try await verdict(substrate) { source, changes in
            source.sections[1].items.append("e")
            changes.insertItems(at: [ItemPath(1, 2)])
        }
        #expect(insert == nil)
        let reload = try await verdict(substrate) { _, changes in
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        #expect(reload == nil)
    }

    @Test
    func editsInSectionsThatDoNotExistAreRejected() async throws {
        let insert = try await verdict(.dispatch) { $1.insertItems(at: [ItemPath(3, 0)]) }
        #expect(insert == .insertItemSectionRange)
        let delete = try await verdict(.dispatch) { $1.deleteItems(at: [ItemPath(3, 0)]) }
        #expect(delete == .deleteItemSectionRange)
    }

    @Test
    func deletingAndReloadingTheSameItemIsRejected() async throws {
        let code = try await verdict(.dispatch) { source, changes in
            source.sections[0].items.remove(at: 0)
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        #expect(code == .deleteAndReloadItem)
    }

    @Test
    func deletingAndReloadingTheSameSectionIsRejected() async throws {
        let code = try await verdict(.dispatch) { source, changes in
            source.sections.removeLast()
            changes.reloadSections([1])
            changes.deleteSections([1])
        }
        #expect(code == .deleteAndReloadSection)
    }

    @Test
    func countsThatTheRecordDoesNotExplainAreRejected() async throws {
        let sections = try await verdict(.dispatch) { $1.deleteSections([0]) }
        #expect(sections == .sectionCount)
        let items = try await verdict(.dispatch) { $1.deleteItems(at: [ItemPath(0, 0)]) }
        #expect(items == .itemCount)
        let nothing = try await verdict(.dispatch) { source, _ in
            source.sections[0].items.append("x")
        }
        #expect(nothing == .itemCount)
    }

    @Test
    func anInsertedSectionBeyondTheEndIsRejected() async throws {
        let code = try await verdict(.dispatch) { source, changes in
            source.sections.append(["e"])
            changes.insertSections([3])
        }
        #expect(code == .insertSectionRange)
    }

    @Test(arguments: Substrate.allCases)
    func anErrorSaysWhatIsWrongAndWhoseFaultItIs(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, Self.sections)
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { $1.deleteSections([1000]) }
        }
        let text = error?.hierarchyError?.description ?? ""
        #expect(text.contains("TextDataSource"))
        #expect(text.contains("1000"))
        #expect(error?.code == .invalidUpdate)
        #expect(error?.submission?.rawValue == 2)
        #expect(error?.hierarchyError?.oldShape == [2, 2])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func emptyBatchesGoAllTheWay(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, Self.sections)
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(completion: nil)
            try controller.assumeIsolated().performBatchUpdates(
                completion: scene.completion("empty")
            )
            try controller.assumeIsolated().beginUpdates()
            try controller.assumeIsolated().endUpdates(completion: scene.completion("pair"))
        }
        await scene.settle()
        #expect(scene.outcomes.values.map(\.description) == ["empty: deployed", "pair: deployed"])
        #expect(scene.controller.visibleMap.isIdentical(to: before))
        #expect(scene.controller.visibleMap.generation == before.generation + 3)
        #expect(scene.view.received.count == 4)
        await scene.close()
    }
}
