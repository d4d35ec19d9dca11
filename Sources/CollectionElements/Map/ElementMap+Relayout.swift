// How a view reaches its controller: by a map, since that is what every update brings to every view. Whoever has seen
// anything that was measured can ask, keeps nothing for it, and needs nobody to hand it a way back.

extension ElementMap {
    /// Has everything measured again that has other sizes to choose from than it was measured for: for a view to call
    /// when its `elementSizeRange` may be another than before, or what its layout delegate goes by. From anywhere, as
    /// often as one likes.
    ///
    /// The controller finds out whether anything is to be done, and if so does by itself what `relayoutAllNodes` does:
    /// by one update, together with all that is asked for until the main lane comes to it, and not before the relayout
    /// before it is measured. It waits for the end of a batch that is open, for room in the backlog unless that is merged, and,
    /// where the data source has other counts than were accepted, for the next change set. Nothing happens before the
    /// first load, which is measured for what the view offers by then, where the configuration says so
    /// (`relayoutsWhenSizeRangeChanges`), or the controller is closed or gone.
    ///
    /// It concerns the newest accepted state, whichever map of the controller is asked.
    public func setNeedsRelayout() { storage.reclaimer?.owner?.setNeedsRelayout() }
}
