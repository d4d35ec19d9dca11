import CollectionElements

/// Told what a range controller does, and asked whether it may; every member has a default.
///
/// Threading: the view's main lane, between its passes. A delegate may change the view or submit from there.
///
/// Source: Texture's range controller delegate.
public protocol RangeControllerDelegate: AnyObject {
    /// Whether ranges may be brought up to date now; if not, everything stays as it was told until the view is
    /// laid out again. Yes by default.
    func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool

    /// An element entered or left ranges; comes after its node was told, and also where it has none. Does nothing
    /// by default.
    func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    )

    /// The ranges reach as another mode says. Does nothing by default.
    func rangeController(
        _ rangeController: RangeController,
        didChangeModeFrom oldMode: RangeMode
    )
}

extension RangeControllerDelegate {
    /// Yes.
    public func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool { true }

    /// Does nothing.
    public func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) {}

    /// Does nothing.
    public func rangeController(
        _ rangeController: RangeController,
        didChangeModeFrom oldMode: RangeMode
    ) {}
}
