import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Heights that an application reads in its data source, at the paths that it is asked for or at those that they
/// have there by now. A row is as high as it says.
private final class RowHeights: LayoutMetrics {
    let rows: RangedRows
    /// From the view's paths to the data source's.
    let path: (ItemPath) -> ItemPath?
    /// Paths at which the data source has no row.
    private(set) var missing: [ItemPath] = []

    init(_ rows: RangedRows, path: @escaping (ItemPath) -> ItemPath?) {
        (self.rows, self.path) = (rows, path)
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        guard let path = self.path(path) else { return nil }
        guard rows.rows.indices.contains(path.item) else {
            // Where most applications would stop.
            missing.append(path)
            return nil
        }
        return Double(rows.rows[path.item]).map { Size(width: 100, height: $0) }
    }
}

/// While updates wait, the view asks for metrics of rows that the data source has elsewhere by then, or no longer.
@Suite("Metrics of a view that lags behind")
struct LaggingMetricsTests {
    private final class Height: CollectionNode {
        let height: Double

        init(_ text: String) { height = Double(text) ?? 0 }

        func measure(in range: SizeRange) -> Size { Size(width: 100, height: height) }
    }

    /// Rows of 10, 20, 30 and 40, of which the first is deleted while the view is busy and lays itself out.
    ///
    /// - Returns: the heights of what the view shows then, the paths that were missing, and the heights once it has
    ///   caught up.
    private func heights(
        isConverted: Bool
    ) -> (behind: [Double?], missing: [ItemPath], afterwards: [Double?]) {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 100, height: 100))
        let rows = RangedRows(["10", "20", "30", "40"]) { Height($0) }
        nonisolated(unsafe) let source = rows
        let controller = DataController(dataSource: source, view: view, in: simulation)
        nonisolated(unsafe) let metrics = RowHeights(rows) { path in
            isConverted ? controller.dataSourcePath(for: path) : path
        }
        nonisolated(unsafe) var found: [[Double?]] = []
        func onMain(_ body: @escaping () -> Void) {
            nonisolated(unsafe) let body = body
            controller.lane.enqueue { body() }
            simulation.run()
        }
        func note(_ count: Int) {
            onMain {
                found.append(
                    (0..<count).map {
                        let place = LayoutPlace.cell(ItemPath(section: 0, item: $0))
                        return view.collectionViewLayout.layoutAttributes(for: place)?.size.height
                    }
                )
            }
        }
        onMain { view.layoutMetrics = metrics }
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        onMain { view.beginBusy() }
        controller.enqueueBatchUpdates { list, changes in
            list.rows.removeFirst()
            changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        } completion: { _ in
        }
        simulation.run()
        onMain {
            view.collectionViewLayout.invalidateLayout()
            view.layoutIfNeeded()
        }
        note(4)
        onMain { view.endBusy() }
        note(3)
        onMain { withExtendedLifetime(metrics) {} }
        return (found[0], metrics.missing, found[1])
    }

    @Test func whoAnswersForTheDataSourcesPathsAnswersForOtherRows() {
        let found = heights(isConverted: false)
        #expect(found.behind == [20, 30, 40, 40], "each row has the height of the next")
        #expect(found.missing.first == ItemPath(section: 0, item: 3))
    }

    @Test func whoConvertsPathsAnswersForTheRowsThatAreShown() {
        let found = heights(isConverted: true)
        #expect(
            found.behind == [10, 20, 30, 40],
            "what is gone by now keeps what it was measured as"
        )
        #expect(found.missing.isEmpty)
        #expect(found.afterwards == [20, 30, 40])
    }
}
