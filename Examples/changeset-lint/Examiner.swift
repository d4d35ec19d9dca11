import CollectionPipeline

/// Runs scenarios, one after the other, each through a controller of its own with all five steps.
///
/// It lives on the main lane of those controllers, so data source and view may be read directly.
actor Examiner {
    private nonisolated let lane = EmulatedMainLane(label: "changeset-lint.main")
    private let environment = DispatchEnvironment()
    private let limits: ShapeLimits

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    /// A result names every item some four times, so the library's own limit would make lines of a
    /// gigabyte.
    static let defaultLimits = ShapeLimits(sections: 1 << 20, items: 1 << 20)

    init(limits: ShapeLimits = Examiner.defaultLimits) { self.limits = limits }

    /// The pipeline's answer to `scenario`, whose steps must be operations.
    ///
    /// - Throws: where there is no answer, because the old collection cannot be loaded.
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
        let examination: Examination
        do throws(UpdateError) {
            try await controller.performBatchUpdates { [scenario] source, changes in
                source.begin(scenario.newCounts)
                for operation in scenario.operations { changes.record(operation) }
            }
            examination = accepted(profile, controller, view, before)
        } catch {
            examination = refused(profile, controller, view, before, error)
        }
        await controller.close()
        return examination
    }

    private func accepted(
        _ profile: ValidationProfile,
        _ controller: DataController<ScriptedDataSource>,
        _ view: RecordingView,
        _ before: ElementNames
    ) -> Examination {
        guard let update = view.lastUpdate else {
            fatalError("a change set was deployed without the view")
        }
        let names = before.names(in: controller.pendingMap)
        let acceptance = Examination.Acceptance(
            update: update.changeSet,
            asks: controller.assumeIsolated().dataSource.asks,
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
        return Examination(
            profile: profile,
            verdict: .accepted(acceptance),
            faults: guarantees.faults
        )
    }

    private func refused(
        _ profile: ValidationProfile,
        _ controller: DataController<ScriptedDataSource>,
        _ view: RecordingView,
        _ before: ElementNames,
        _ error: UpdateError
    ) -> Examination {
        guard let hierarchyError = error.hierarchyError else {
            // Nothing here fills a backlog, throws, cancels, or submits from a callback.
            fatalError("a scenario was refused for another reason than its change set: \(error)")
        }
        let guarantees = RejectionGuarantees(
            before: before.map,
            pendingMap: controller.pendingMap,
            visibleMap: controller.visibleMap,
            shownMap: view.lastUpdate?.newMap,
            asks: controller.assumeIsolated().dataSource.asks
        )
        return Examination(
            profile: profile,
            verdict: .refused(hierarchyError),
            faults: guarantees.faults
        )
    }
}
