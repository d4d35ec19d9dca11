import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Preparing begins at the first visible path, or where that is nearest, whatever a view says.
@Suite("Where preparing begins", .endsHangs)
struct VisiblePathTests {
    private static let sections: [TextDataSource.Section] = [
        ["0 0", "0 1"], ["1 0", "1 1", "1 2"], ["2 0"],
    ]
    private static let answers = [Int.min, -1, 0, 1, 2, 3, Int.max]

    /// The texts in the order of their distance from a start in the collection, or behind a section's end.
    private func expected(_ section: Int, _ item: Int) -> [String] {
        let section = min(max(section, 0), 2)
        let item = min(max(item, 0), Self.sections[section].items.count)
        let start = ItemPath(section, item)
        var paths: [ItemPath] = []
        for section in Self.sections.indices {
            for item in Self.sections[section].items.indices {
                paths.append(ItemPath(section, item))
            }
        }
        func rank(_ path: ItemPath) -> (Int, Int, Int, Int) {
            let isBehind = path < start
            let sections = abs(path.section - start.section)
            return (
                sections, sections == 0 ? abs(path.item - start.item) : 0, isBehind ? 1 : 0,
                isBehind ? -path.item : path.item
            )
        }
        return paths.sorted { rank($0) < rank($1) }.map { "\($0.section) \($0.item)" }
    }

    // In a simulation parts come in any order, whoever asks for them in which.
    @Test(arguments: Substrate.threaded)
    func whateverAViewAnswersTheNearestComesFirst(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, Self.sections, workerCount: 1)
        for section in Self.answers {
            for item in Self.answers {
                await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(section, item) }
                scene.nodes.made.removeAll()
                try await scene.controller.reloadData()
                let made = scene.nodes.made.values.map(\.text)
                #expect(made == expected(section, item), "\(section) - \(item)")
            }
        }
        // Nothing visible: from the front.
        await scene.onMain { _ in scene.view.firstVisiblePath = nil }
        scene.nodes.made.removeAll()
        try await scene.controller.reloadData()
        #expect(scene.nodes.made.values.map(\.text) == expected(0, 0))
        await scene.close()
    }

    /// The view's path is of what it shows; the order of work goes by where that is now.
    @Test(arguments: Substrate.threaded)
    func aPathOfTheViewIsConvertedToTheNewMap(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"]], workerCount: 1)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(0, 1) }
        scene.nodes.made.removeAll()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["n0", "n1", "n2", "a", "b", "n5", "c"]
            changes.insertItems(at: [0, 1, 2, 5].map { ItemPath(0, $0) })
        }
        #expect(scene.nodes.made.values.map(\.text) == ["n5", "n2", "n1", "n0"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anEmptyCollectionIsLoadedWhateverIsVisible(_ substrate: Substrate) async throws {
        for sections in [[], [[]]] as [[TextDataSource.Section]] {
            let scene = Scene(substrate, sections)
            await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(3, 4) }
            try await scene.controller.reloadData()
            #expect(scene.controller.visibleMap.numberOfSections == sections.count)
            await scene.close()
        }
    }

    /// There is no section of which it could be an end.
    @Test func whereThereIsNoSectionTheBeginningIsNearest() {
        let shape: HierarchyShape = []
        #expect(shape.place(nearestTo: ItemPath(3, 4)) == ItemPath(0, 0))
    }
}
