import CollectionElements

/// Where an element is, as the ranges of a view see it.
struct RangePlacement: Hashable {
    var isVisible: Bool
    var isInDisplayRange: Bool
    var isInPreloadRange: Bool
}

extension InterfaceState {
    /// What is asked of a node.
    ///
    /// | the view | visible | in the display range | in the preload range | elsewhere |
    /// |---|---|---|---|---|
    /// | is seen | everything | `display`, and `preload` where it is in that range too | `preload` | nothing |
    /// | is not seen | `preload`, and `display` unless memory is short | `preload` | nothing | nothing |
    ///
    /// Source: Texture's table of interface states.
    init(_ placement: RangePlacement, in mode: RangeMode, isContainerVisible: Bool) {
        self = []
        if isContainerVisible {
            if placement.isVisible { self = [.preload, .display, .visible] }
            if placement.isInDisplayRange { insert(.display) }
            if placement.isInPreloadRange { insert(.preload) }
        } else if placement.isVisible {
            self = mode == .lowMemory ? .preload : [.preload, .display]
        } else if placement.isInDisplayRange {
            self = .preload
        }
    }
}
