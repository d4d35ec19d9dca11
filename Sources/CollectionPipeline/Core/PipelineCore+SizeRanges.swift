import CollectionElements

// What a view offers may be something else than elements were measured for: then everything is asked again what
// sizes it may take, by the controller itself.

extension PipelineCore {
    func setNeedsRelayout() {
        guard configuration.relayoutsWhenSizeRangeChanges else { return }
        if layoutRequests.withLock({ $0.askedForAll() }) { enqueueLayoutTurn() }
    }

    /// Measures everything again that was measured for something else, and what was asked for in the same turn.
    ///
    /// - Returns: whether that was submitted; otherwise nothing is to be measured so, or it waits.
    func relayout(with asked: LayoutRequests.Asked, _ request: SubmissionRequest) -> Bool {
        guard relayouts.turnCame(isAsked: asked.isForAll), sourceState.hasLoaded, view != nil else {
            return false
        }
        guard divergence?.countsSince == nil else {
            relayouts.blocked()
            return false
        }
        let (start, rule) = (startTime(), sizeRangeRule)
        let wishes = Dictionary(uniqueKeysWithValues: asked.elements.map { ($0.element, $0.wish) })
        let found: (subjects: RelayoutSubjects, isLayoutOutdated: Bool)?
        do throws(UpdateError) {
            found = try asking { () throws(UpdateError) in
                guard isRelayoutNeeded else { return nil }
                // No map's path is to be asked about that is another in the data source.
                _ = try validated(HierarchyChangeSet())
                return (subjectsOfRelayout(for: rule, wishes), isLayoutOutdated)
            }
        } catch {
            relayouts.blocked()
            return false
        }
        let missesSome = mayMissSome
        guard let found, !found.subjects.isEmpty || found.isLayoutOutdated else {
            if found != nil, missesSome {
                relayouts.began(pendingMap.generation, missesSome: true)
            } else {
                relayouts.settled(rule.offer ?? relayouts.newest)
            }
            return false
        }
        let generation = pendingMap.generation + 1
        let submitted = try? submit(request, since: start) {
            latchedRelayout(of: found.subjects, for: rule, request)
        }
        guard submitted != nil else {
            // Whoever was asked for a context has submitted something meanwhile.
            relayouts.blocked()
            return false
        }
        relayouts.began(generation, missesSome: missesSome)
        return true
    }

    /// Whether some of what there is may yet be measured for something else, though a relayout is accepted now: what
    /// sets before it have a delegate measure, nobody knows.
    private var mayMissSome: Bool { layoutDelegate != nil && delivery.isPreparing }

    /// Whether something that there is was measured for something else than would be now.
    private var isRelayoutNeeded: Bool {
        relayouts.isMixed || relayouts.common.map(isOutdated) ?? false
    }

    /// Whether a delegate would lay out otherwise than for the newest set, whatever is measured.
    private var isLayoutOutdated: Bool {
        guard case .context(let context)? = relayouts.newest else { return false }
        return layoutDelegate?.isOutdated(context) ?? false
    }

    /// Whether a view, or the delegate that lays out for it, offers something else by now.
    private func isOutdated(_ offer: RelayoutLedger.Offer) -> Bool {
        switch offer {
        case .range(let range): view.map { $0.elementSizeRange != range } ?? false
        case .context(let context): layoutDelegate?.isOutdated(context) ?? false
        }
    }

    /// Finds out what a set is measured for, and how that is to what all others were measured for. The delegate may
    /// be asked, so it is done while the data source is.
    func findOffer(of latched: inout Latched) {
        // A delegate lays out in its context also what brings no elements, and measures for that.
        latched.offer = latched.layoutContext.map { .context($0) } ?? latched.ranges?.offer
        guard let offer = latched.offer, let common = relayouts.common else { return }
        latched.isOfferOther =
            if case .range(let range) = offer, case .range(let common) = common {
                range != common
            } else {
                isOutdated(common)
            }
    }

    /// Notes what an accepted set was measured for.
    func noteOffer(of latched: Latched) {
        let isTurnDue = relayouts.accepted(
            latched.offer,
            isOfAll: latched.isMeasuredAnew,
            isOther: latched.isOfferOther
        )
        if isTurnDue { setNeedsRelayout() }
    }

    // MARK: What is measured again

    /// Everything that was measured for something else than by `rule`, or with other traits, and what of it is asked
    /// for.
    func subjectsOfRelayout(
        for rule: SizeRangeRule,
        _ wishes: [CollectionElement: LayoutRequests.Wish] = [:]
    ) -> RelayoutSubjects {
        let map = pendingMap
        var search = RelayoutSearch(
            core: self,
            wishes: wishes,
            chosenRange: layoutDelegate?.sizeRanges(for: map)
        )
        if itemMaker.makesNodes {
            for item in map.items {
                search.look(
                    at: ElementPlace(path: item.path),
                    item.content,
                    rule.range(dataSource.sizeRange(forItemAt: item.path)),
                    dataSource.nodeProvider(forItemAt: item.path)
                )
            }
        }
        for section in 0..<map.numberOfSections {
            for run in map.supplementaries(inSection: section) {
                for (item, content) in run.contents.enumerated() {
                    let path = ItemPath(section: section, item: item)
                    search.look(
                        at: ElementPlace(path: path, kind: run.kind),
                        content,
                        rule.range(
                            dataSource.sizeRange(forSupplementaryOfKind: run.kind, at: path)
                        ),
                        dataSource.supplementaryNodeProvider(ofKind: run.kind, at: path)
                    )
                }
            }
        }
        return search.found
    }

    /// A relayout of everything, of which these are to be measured.
    func latchedRelayout(
        of subjects: RelayoutSubjects,
        for rule: SizeRangeRule,
        _ request: SubmissionRequest
    ) -> Latched {
        var latched = latchedRelayout(of: subjects, request)
        latched.work.limit = configuration.measuringPolicy.limit
        if let viewPath = view?.firstVisiblePath {
            latched.work.start = latched.map.shape.place(nearestTo: viewPath)
        }
        latched.ranges = rule
        latched.isMeasuredAnew = !mayMissSome
        return latched
    }
}

/// Looks for what a relayout of everything measures again.
private struct RelayoutSearch {
    let core: PipelineCore
    let wishes: [CollectionElement: LayoutRequests.Wish]
    /// What a layout delegate would measure an element for, where it says so.
    let chosenRange: ((ElementPlace) -> SizeRange)?
    var found = RelayoutSubjects()

    mutating func look(
        at place: ElementPlace,
        _ content: ElementContent,
        _ range: SizeRange,
        _ provider: @autoclosure () -> NodeProvider
    ) {
        let wish = wishes.isEmpty ? nil : wishes[content.element]
        let isAsked = wish != nil || content.isAsked
        if isOutdated(content, range, at: place) || wish == .newSize && !content.isPending {
            let again = core.remeasured(content, range, provider())
            if isAsked { _ = again.noteAsked() }
            found.addAgain(again, at: place, isAsked: isAsked)
        } else if wish != nil, content.isAsked {
            found.addFirst(content, at: place)
        }
    }

    /// Whether something changed that an element's size may depend on.
    private func isOutdated(
        _ content: ElementContent,
        _ range: SizeRange,
        at place: ElementPlace
    ) -> Bool {
        if range != content.sizeRange || !content.element.isMeasuredWithCurrentTraits(content) {
            return true
        }
        guard let chosenRange, let measured = content.measuredRange else { return false }
        return chosenRange(place) != measured
    }
}
