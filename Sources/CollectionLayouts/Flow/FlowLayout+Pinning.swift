extension FlowLayout {
    /// What headers and footers are held in now; nil where none are.
    func viewport(in state: FlowState) -> FlowState.Viewport? {
        viewport(in: state, bounds: host?.bounds)
    }

    /// What headers and footers are held in; nil where none are.
    func viewport(in state: FlowState, bounds: Rect?) -> FlowState.Viewport? {
        guard sectionHeadersPinToVisibleBounds || sectionFootersPinToVisibleBounds, let bounds,
            let host
        else { return nil }
        let visible = bounds.inset(by: host.adjustedContentInset)
        let direction = state.environment.direction
        var low = visible.origin.along(direction)
        var high = low + visible.size.along(direction)
        if state.environment.mirrorsSections {
            (low, high) = (state.contentExtent - high, state.contentExtent - low)
        }
        return ClosedRange.checked(low, high).map {
            FlowState.Viewport(
                interval: $0,
                pinsHeaders: sectionHeadersPinToVisibleBounds,
                pinsFooters: sectionFootersPinToVisibleBounds
            )
        }
    }
}
