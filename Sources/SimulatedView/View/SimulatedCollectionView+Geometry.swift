import CollectionElements
import CollectionLayouts

// Where the view is in its content, how large both are, and what it keeps free around.

extension SimulatedCollectionView {
    /// How the elements are laid out. To change it, use ``setCollectionViewLayout(_:animated:completion:)``.
    public var collectionViewLayout: CollectionLayout {
        requireLane("collectionViewLayout")
        return shownLayout
    }

    /// The viewport in content coordinates: its origin is the content offset.
    public var bounds: Rect {
        requireLane("bounds")
        return viewport.bounds
    }

    /// The extent of the viewport; ``resize(to:animated:)`` changes it.
    public var size: Size { bounds.size }

    /// How large the content was when the view was last laid out.
    public var contentSize: Size {
        requireLane("contentSize")
        return viewport.contentSize
    }

    /// What the view keeps free around the content; insets that are not finite count as 0.
    public var contentInset: EdgeInsets {
        get { currentInsets.content }
        set { changeInsets { $0.content = newValue.finite } }
    }

    /// What bars and rounded corners cover.
    public var safeAreaInsets: EdgeInsets {
        get { currentInsets.safeArea }
        set { changeInsets { $0.safeArea = newValue.finite } }
    }

    /// The margins that content should keep.
    public var layoutMargins: EdgeInsets {
        get { currentInsets.margins }
        set { changeInsets { $0.margins = newValue.finite } }
    }

    /// Whether content runs from right to left.
    public var isRightToLeft: Bool {
        get { currentInsets.isRightToLeft }
        set { changeInsets { $0.isRightToLeft = newValue } }
    }

    /// How many pixels a unit has; 1 where it is set to no such number.
    public var displayScale: Double {
        get { currentInsets.displayScale }
        set { changeInsets { $0.displayScale = newValue > 0 && newValue.isFinite ? newValue : 1 } }
    }

    /// How much of the safe area is part of ``adjustedContentInset``.
    public var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior {
        get { currentInsets.adjustment }
        set { changeInsets { $0.adjustment = newValue } }
    }

    /// The content inset, and what ``contentInsetAdjustmentBehavior`` adds of the safe area.
    public var adjustedContentInset: EdgeInsets {
        requireLane("contentInset and the like")
        return viewport.inset
    }

    /// Layouts take into account what lies around; so everything is laid out again. What was at the
    /// beginning stays there.
    private func changeInsets(_ change: (inout ViewInsets) -> Void) {
        var changed = currentInsets
        change(&changed)
        guard changed != viewport.insets else { return }
        noteAnchor()
        viewport.insets = changed
        source.mayOfferOtherSizes = true
        shownLayout.invalidateLayout()
    }

    private var currentInsets: ViewInsets {
        requireLane("contentInset and the like")
        return viewport.insets
    }
}

extension EdgeInsets {
    /// With 0 in place of what is no number.
    var finite: EdgeInsets {
        func usable(_ value: Double) -> Double { value.isFinite ? value : 0 }
        return EdgeInsets(
            top: usable(top),
            left: usable(left),
            bottom: usable(bottom),
            right: usable(right)
        )
    }
}
