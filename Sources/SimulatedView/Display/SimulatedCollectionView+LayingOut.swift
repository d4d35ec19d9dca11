import CollectionLayouts
import CollectionPipeline

// The pass that brings what is shown up to date with layout and content, in rounds.

extension SimulatedCollectionView {
    /// In how many rounds running layout and views may disagree over sizes before the view gives up;
    /// rounds that bring new elements into sight, or ask some for the first time, do not count.
    public static var roundLimit: Int { LayoutPass.usualIdleRoundLimit }

    /// Brings the view up to date now, if anything is invalid.
    ///
    /// Rounds follow one another until nothing is invalidated any more: views of new elements may want other
    /// sizes than the layout gave them.
    public func layoutIfNeeded() {
        requireLane("layoutIfNeeded()")
        switch pass.requested() {
        case .upToDate: tellLooks()
        case .begun:
            runRounds()
            display.animated = nil
            // A hidden view keeps what its reader saw until it has an extent again.
            if !viewport.bounds.isEmpty { offsetRule.release() }
            returnLeftOvers()
            pass.ended()
            reportLayoutErrors()
            tellLooks()
            askForMeasuring()
            askForRelayout()
            display.ranges?.update(self)
            supply.fetcher?.update()
            resumeFetchWaiters()
        case .rejected:
            report(
                ViewError(
                    .reentrantLayout,
                    "trying to load collection view layout data when layout is locked: the view was"
                        + " asked to lay itself out while its layout, data source or delegate was"
                        + " being asked"
                )
            )
        }
    }

    /// The same for calls that want the view up to date and can do without: from within a pass they find
    /// it as far as it is.
    func bringUpToDate() {
        if !pass.isLocked { layoutIfNeeded() }
    }

    private func runRounds() {
        while pass.isNeeded {
            // What it invalidates is laid out in this round.
            source.loader?()
            pass.roundBegan()
            layOutOnce(asksViews: true)
            guard let overrun = pass.roundEnded() else { continue }
            reportLoop(overrun)
            // What is in the viewport is shown in any case.
            layOutOnce(asksViews: false)
            pass.gaveUp()
        }
        for known in display.shown.all { announce(known.place) }
    }

    /// - Parameter asksViews: whether views may say which size they want.
    private func layOutOnce(asksViews: Bool) {
        let mayMove = !viewport.bounds.isEmpty && offsetRule.isDue(isPrepared: pass.isPrepared)
        prepareLayout()
        if mayMove { moveOffset(to: settledOffset()) }
        // Other bounds may have invalidated it again.
        if asksViews, !pass.isPrepared { return }
        prepareLayout()
        var needed = neededAttributes()
        if asksViews {
            askPreferred()
            guard pass.allAsked() else { return }
            needed = neededAttributes()
        }
        announce(needed)
        hide(except: needed)
        for attributes in needed where display.shown[attributes.place] == nil {
            show(attributes, asksView: asksViews)
        }
        for attributes in needed { apply(attributes) }
    }

    /// Reports what the layout could not use, once until everything is laid out without it.
    private func reportLayoutErrors() {
        let errors = shownLayout.errors
        guard errors != display.layoutErrors else { return }
        let new = errors.filter { !display.layoutErrors.contains($0) }
        display.layoutErrors = errors
        for error in new { report(ViewError(.layout, error.message, at: error.place)) }
    }

    private func reportLoop(_ overrun: LayoutPass.Overrun) {
        let rounds =
            switch overrun {
            case .withoutNews(let rounds): "\(rounds) rounds without a new element"
            case .inAll(let rounds): "\(rounds) rounds"
            }
        let places = display.shown.all.filter(\.needsPreferred).map(\.place)
        let named = places.prefix(3).map(\.description).joined(separator: ", ")
        report(
            ViewError(
                .layoutLoop,
                "UICollectionView is stuck in its update/layout loop: after \(rounds) the layout was"
                    + " invalidated again"
                    + (named.isEmpty ? "" : "; still to be sized: \(named)"),
                at: places.first
            )
        )
    }
}
