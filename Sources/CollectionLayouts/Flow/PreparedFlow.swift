import CollectionElements

/// The layout of a map that a worker has computed in advance for a flow layout. A ``FlowLayout``
/// whose view has one uses it instead of laying out itself.
///
/// A layout uses it only if its own settings and its view have not changed since: the same extent,
/// insets, scale and direction, and no layout metrics. Otherwise it lays out itself.
///
/// Threading: a value, usable on any thread.
public struct PreparedFlow: Sendable {
    package let map: ElementMap
    let plan: FlowPlan
    let state: FlowState
    /// The identity of this result.
    let token = Token()
    let diagnostics: LayoutDiagnostics
    /// The work that this result took; used by complexity tests.
    package let work: LayoutWork

    final class Token: Sendable {}
}

/// The inputs of a flow layout except the content, captured on the main lane for workers.
package struct FlowPlan: Hashable, Sendable {
    let settings: FlowSettings
    let environment: FlowEnvironment
    let bounds: Rect

    /// Captures the settings of a layout; called on its main lane.
    ///
    /// - Returns: `nil` if only the layout itself can determine sizes: if nothing can be laid out,
    ///   if the view has layout metrics, or if views determine their own sizes.
    package init?(_ layout: FlowLayout) {
        guard let host = layout.host, layout.mayBePrepared,
            let environment = FlowEnvironment(
                host,
                direction: layout.scrollDirection,
                insetReference: layout.sectionInsetReference
            )
        else { return nil }
        settings = FlowSettings(layout)
        self.environment = environment
        bounds = host.bounds
    }

    /// Returns whether a result for one plan is valid for the other.
    package func isEquivalent(to other: FlowPlan) -> Bool {
        settings == other.settings && environment == other.environment
    }

    /// The area within one screenful of the view's position.
    var reach: Rect {
        let isVertical = settings.direction == .vertical
        let (x, y) = isVertical ? (0, bounds.size.height) : (bounds.size.width, 0)
        return Rect(
            x: bounds.minX - x,
            y: bounds.minY - y,
            width: bounds.size.width + 2 * x,
            height: bounds.size.height + 2 * y
        )
    }
}

extension FlowLayout {
    /// Whether the layout depends only on its settings, the view and the content.
    var mayBePrepared: Bool { effectiveEstimate == nil && host?.layoutMetrics == nil }

    /// Uses the prepared layout of the view if it equals what this layout would compute.
    ///
    /// - Returns: Whether no work is left; otherwise `stale` contains the remaining work.
    func adoptPrepared(in environment: FlowEnvironment, _ stale: inout LayoutStaleness) -> Bool {
        guard let prepared = host?.preparedLayout as? PreparedFlow else { return false }
        let isNew = seenPrepared !== prepared.token
        seenPrepared = prepared.token
        guard mayBePrepared, prepared.plan.environment == environment,
            prepared.plan.settings == FlowSettings(self)
        else {
            // No invalidation has listed the elements that were measured for it.
            if isNew { stale.metrics = true }
            return false
        }
        clearErrors()
        if let mistake = stale.mistake { report(mistake) }
        notes.diagnostics.add(prepared.diagnostics)
        state = prepared.state
        isPrepared = true
        return true
    }
}
