import CollectionElements

/// What a flow layout would lay out of a map, made beforehand on a worker; a ``FlowLayout`` whose view has it adopts it
/// in place of laying out itself.
///
/// A layout adopts it as long as it is set up as it was then, and so is its view: the same room, insets, scale and
/// direction, and nobody who answers for the view. Otherwise it lays out itself.
///
/// Threading: a value, usable from anywhere.
public struct PreparedFlow: Sendable {
    package let map: ElementMap
    let plan: FlowPlan
    let state: FlowState
    /// Tells it from all others.
    let token = Token()
    let diagnostics: LayoutDiagnostics
    /// What making it has cost; for tests of complexity.
    package let work: LayoutWork

    final class Token: Sendable {}
}

/// What a flow layout lays out with beside the content, taken down on the main lane for workers.
package struct FlowPlan: Hashable, Sendable {
    let settings: FlowSettings
    let environment: FlowEnvironment
    let bounds: Rect

    /// Takes down how a layout is set up; on its main lane.
    ///
    /// - Returns: nil where only the layout itself can tell how large things are: where nothing can be laid out, where
    ///   somebody answers for the view, and where views say which size they want.
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

    /// Whether what is laid out by one is right for the other.
    package func isEquivalent(to other: FlowPlan) -> Bool {
        settings == other.settings && environment == other.environment
    }

    /// What lies less than a screenful away from where the view is.
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
    /// Whether nothing but its settings, the view and the content decides.
    var mayBePrepared: Bool { effectiveEstimate == nil && host?.layoutMetrics == nil }

    /// Takes what was prepared for what the view shows, if it is what this layout would lay out.
    ///
    /// - Returns: whether there is nothing left to do; otherwise `stale` has what follows.
    func adoptPrepared(in environment: FlowEnvironment, _ stale: inout LayoutStaleness) -> Bool {
        guard let prepared = host?.preparedLayout as? PreparedFlow else { return false }
        let isNews = seenPrepared !== prepared.token
        seenPrepared = prepared.token
        guard mayBePrepared, prepared.plan.environment == environment,
            prepared.plan.settings == FlowSettings(self)
        else {
            // Nobody has said what was measured for it.
            if isNews { stale.metrics = true }
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
