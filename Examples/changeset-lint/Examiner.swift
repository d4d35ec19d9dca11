import CollectionPipeline

/// Runs scenarios one after the other, each through its own controller with all five steps.
///
/// The examiner runs on the main lane of these controllers, so it may read the data source and the
/// view directly.
actor Examiner {
    private nonisolated let lane = EmulatedMainLane(label: "changeset-lint.main")
    private let environment = DispatchEnvironment()
    private let limits: ShapeLimits

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    /// The limit for scenarios. A result names every item about four times, so with the library's
    /// own limit a line could have a gigabyte.
    static let defaultLimits = ShapeLimits(sections: 1 << 20, items: 1 << 20)

    init(limits: ShapeLimits = Examiner.defaultLimits) { self.limits = limits }

    /// Returns the pipeline's result for `scenario`, all of whose steps must be operations.
    ///
    /// - Throws: ``ScenarioFault`` if the old collection cannot be loaded.
    func examine(
        _ scenario: Scenario,
        profile: ValidationProfile,
        decomposesMoves: Bool = false
    ) async throws(ScenarioFault) -> Examination {
        var configuration = PipelineConfiguration()
        configuration.profile = profile
        configuration.limits = limits
        configuration.decomposesMoves = decomposesMoves
        configuration.name = "changeset-lint"
        let view = RecordingView()
        let controller = DataController(
            dataSource: ScriptedDataSource(counts: scenario.oldCounts),
            view: view,
            configuration: configuration,
            lane: lane,
            environment: environment
        )
        do throws(UpdateError) {
            try await controller.reloadData()
        } catch {
            await controller.close()
            throw ScenarioFault("oldCounts cannot be loaded: \(error.message)")
        }
        let before = ElementNames(of: controller.pendingMap)
        let outcome: (verdict: Examination.Verdict, faults: [String])
        do throws(UpdateError) {
            try await controller.performBatchUpdates { [scenario] source, changes in
                source.begin(scenario.newCounts)
                for operation in scenario.operations { changes.record(operation) }
            }
            outcome = accepted(controller, view, before)
        } catch {
            outcome = rejected(controller, view, before, error)
        }
        await controller.close()
        return Examination(profile: profile, verdict: outcome.verdict, faults: outcome.faults)
    }

    private func accepted(
        _ controller: DataController<ScriptedDataSource>,
        _ view: RecordingView,
        _ before: ElementNames
    ) -> (verdict: Examination.Verdict, faults: [String]) {
        guard let update = view.lastUpdate else {
            fatalError("a change set was deployed without the view")
        }
        let names = before.names(in: controller.pendingMap)
        let acceptance = Examination.Acceptance(
            update: update.changeSet,
            contentRequests: controller.assumeIsolated().dataSource.contentRequests,
            sections: names.sections,
            map: names.map
        )
        let guarantees = AcceptanceGuarantees(
            acceptance: acceptance,
            before: before,
            updatedMap: update.oldMap,
            pendingMap: controller.pendingMap,
            visibleMap: controller.visibleMap
        )
        return (.accepted(acceptance), guarantees.faults)
    }

    private func rejected(
        _ controller: DataController<ScriptedDataSource>,
        _ view: RecordingView,
        _ before: ElementNames,
        _ error: UpdateError
    ) -> (verdict: Examination.Verdict, faults: [String]) {
        guard let hierarchyError = error.hierarchyError else {
            // This program never fills the backlog, throws, cancels or submits from a callback.
            fatalError("a scenario was rejected for another reason than its change set: \(error)")
        }
        let guarantees = RejectionGuarantees(
            before: before.map,
            pendingMap: controller.pendingMap,
            visibleMap: controller.visibleMap,
            shownMap: view.lastUpdate?.newMap,
            contentRequests: controller.assumeIsolated().dataSource.contentRequests
        )
        return (.rejected(hierarchyError), guarantees.faults)
    }
}

/// The result of running a scenario through a real pipeline.
struct Examination: Sendable {
    let profile: ValidationProfile
    let verdict: Verdict
    /// The guarantees that the pipeline broke. Empty unless the pipeline has a bug.
    let faults: [String]

    enum Verdict: Sendable {
        case accepted(Acceptance)
        case rejected(HierarchyUpdateError)
    }

    /// The effects of an accepted change set.
    struct Acceptance: Sendable {
        let update: ValidatedChangeSet
        /// The requests for content, in order.
        var contentRequests: [String]
        /// The sections afterwards: `sN` is the old section N, `tK` the K-th requested one.
        let sections: [String]
        /// The items afterwards, by section: `oS.I` is an old item, `nK` the K-th requested one.
        var map: [[String]]
    }
}

/// Names for all sections and items of a map, by identity, to recognise them in a later map.
struct ElementNames {
    let map: ElementMap
    private var elements: [CollectionElement: String] = [:]
    private var sections: [CollectionSection: String] = [:]

    /// Names each section `sN` and each item `oS.I`, after its index path.
    init(of map: ElementMap) {
        self.map = map
        for item in map.items {
            elements[item.element] = "o\(item.path.section).\(item.path.item)"
        }
        for index in map.shape.itemCounts.indices {
            if let section = map.section(at: index) { sections[section] = "s\(index)" }
        }
    }

    /// Returns the names of the sections and items of `later`. New ones are named `tK` and `nK`,
    /// where K is the number of the request, or `?` if they were not requested.
    func names(in later: ElementMap) -> (sections: [String], map: [[String]]) {
        var names: (sections: [String], map: [[String]]) = ([], [])
        for (index, count) in later.shape.itemCounts.enumerated() {
            if let section = later.section(at: index) { names.sections.append(name(of: section)) }
            names.map.append(
                (0..<count).map { item in
                    later.element(at: ItemPath(section: index, item: item)).map(name) ?? "?"
                }
            )
        }
        return names
    }

    private func name(of section: CollectionSection) -> String {
        if let name = sections[section] { return name }
        return (section.sectionContext as? NumberedContext).map { "t\($0.number)" } ?? "?"
    }

    private func name(of element: CollectionElement) -> String {
        if let name = elements[element] { return name }
        return (element.nodeIfAllocated as? NumberedNode).map { "n\($0.number)" } ?? "?"
    }
}
