import CollectionPipeline
import PipelineTestSupport
import Testing

/// Sections in the data source's index space and in the view's, with updates on their way between the two.
@Suite("Sections between the two index spaces", .endsHangs)
struct SectionConversionTests {
    /// The section of the view for each of the data source.
    private static func onView(_ controller: DataController<TextDataSource>) -> [Int?] {
        (0..<controller.pendingMap.numberOfSections).map(controller.viewSection)
    }

    private static func inDataSource(_ controller: DataController<TextDataSource>) -> [Int?] {
        (0..<controller.visibleMap.numberOfSections).map(controller.dataSourceSection)
    }

    @Test(arguments: Substrate.allCases)
    func sectionsFollowEachStepOfTheViewWhileUpdatesAreOnTheirWay(
        _ substrate: Substrate
    ) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"], ["b"], [], ["d"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        try await scene.onMain { controller in
            // Accepted, and not shown.
            #expect(Self.onView(controller) == [nil, nil, nil, nil])
            #expect(controller.dataSourceSection(for: 0) == nil)
            view.deployNext()
            #expect(Self.onView(controller) == [0, 1, 2, 3])
            #expect(Self.inDataSource(controller) == [0, 1, 2, 3])
            let source = controller.assumeIsolated().dataSource
            source.sections.insert(["n"], at: 0)
            try controller.assumeIsolated().insertSections([0])
            #expect(Self.onView(controller) == [nil, 0, 1, 2, 3])
            source.sections.append(source.sections.remove(at: 1))
            try controller.assumeIsolated().moveSection(1, toSection: 4)
            #expect(Self.onView(controller) == [nil, 1, 2, 3, 0])
            // An empty section has an identity too.
            source.sections.remove(at: 1)
            try controller.assumeIsolated().deleteSections([1])
            #expect(Self.onView(controller) == [nil, 2, 3, 0])
            try controller.assumeIsolated().reloadSections([2])
            #expect(Self.onView(controller) == [nil, 2, nil, 0])
            #expect(Self.inDataSource(controller) == [3, nil, 1, nil])
        }
        // The view takes them in, one by one.
        let steps: [(onView: [Int?], inDataSource: [Int?])] = [
            ([0, 3, nil, 1], [0, 3, nil, 1, nil]), ([0, 2, nil, 4], [0, nil, 1, nil, 3]),
            ([0, 1, nil, 3], [0, 1, nil, 3]), ([0, 1, 2, 3], [0, 1, 2, 3]),
        ]
        await view.received.values(count: 1 + steps.count)
        await scene.onMain { controller in
            for (onView, inDataSource) in steps {
                view.deployNext()
                #expect(Self.onView(controller) == onView)
                #expect(Self.inDataSource(controller) == inDataSource)
            }
        }
        await scene.close()
    }

    /// Whatever reloads them: a section alone, or all data.
    @Test(arguments: Substrate.allCases)
    func afterAReloadOfAllDataNoSectionIsWhatItWas(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a"], ["b"]], view: view)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        try await scene.onMain { controller in
            view.deployNext()
            try controller.assumeIsolated().reloadData(completion: nil)
            #expect(Self.onView(controller) == [nil, nil])
            #expect(Self.inDataSource(controller) == [nil, nil])
        }
        await view.received.values(count: 2)
        await scene.onMain { controller in
            view.deployNext()
            #expect(Self.onView(controller) == [0, 1])
            #expect(Self.inDataSource(controller) == [0, 1])
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anIndexOfNoSectionHasNoPlace(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b"]])
        for index in [0, -1, 2, .min, .max] {
            #expect(scene.controller.viewSection(for: index) == nil)
            #expect(scene.controller.dataSourceSection(for: index) == nil)
        }
        try await scene.controller.reloadData()
        for index in [-1, 2, .min, .max] {
            #expect(scene.controller.viewSection(for: index) == nil)
            #expect(scene.controller.dataSourceSection(for: index) == nil)
        }
        #expect(scene.controller.viewSection(for: 1) == 1)
        await scene.close()
    }
}
