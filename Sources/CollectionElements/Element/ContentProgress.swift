/// The progress of preparing one content revision of an element.
///
/// A value whose methods record events. The lock of the element, or of the revision, guards the
/// value. The value is small because every element has one; state that few elements need is stored
/// indirectly.
///
/// | state | meaning | next state |
/// |---|---|---|
/// | `pending` | nothing was done, or only the node was made | `allocating` when preparing starts; `failed` when the node's provider throws; `requested` when a deferred size is requested |
/// | `requested` | as `pending`, but it is to be prepared soon | as `pending` |
/// | `allocating` | the node is being made or found | `measuring` when measuring is about to start; `skipped` when the content is no longer needed; `failed` on an error |
/// | `measuring` | the node is being measured | `measured` when there is a size; `failed` on an error |
/// | `measured`, `measuredForLayout` | it has a size, and others within ranges that a layout chose | `released` when its node is released |
/// | `released` | it has the size of a released node, and repeats the steps with another one | as `pending`, `requested`, `allocating` and `measuring` |
/// | `skipped`, `failed` | its size is an estimate | |
struct ContentProgress {
    enum State {
        case pending
        case requested
        case allocating
        case measuring(traits: UInt32)
        /// The node was measured within the range that the content was created with.
        case measured(Size, traits: UInt32)
        indirect case measuredForLayout(LayoutSizes)
        indirect case released(ReleasedSize, Repetition)
        case skipped
        case failed(any Error, isReported: Bool)
    }

    /// The sizes for a layout that chooses ranges itself.
    struct LayoutSizes {
        let size: Size
        /// The range of `size`; `nil` if it is the range of the content.
        let range: SizeRange?
        /// The generation of the node's traits when measuring started.
        var traits: UInt32
        /// The sizes within other ranges, oldest first.
        var further: [(range: SizeRange, size: Size)] = []
        /// Whether a failure within another range was reported.
        var isFailureReported = false
    }

    /// The measured size of a node that was released.
    struct ReleasedSize {
        let size: Size
        /// The range of `size`; `nil` if it is the range of the content.
        let range: SizeRange?
    }

    /// The progress of another node that replaces a released one.
    enum Repetition {
        case pending
        case requested
        case allocating
        case measuring(traits: UInt32)
    }

    private(set) var state = State.pending

    var isPending: Bool {
        switch state {
        case .pending, .requested, .released(_, .pending), .released(_, .requested): true
        default: false
        }
    }

    var isRequested: Bool {
        switch state {
        case .requested, .released(_, .requested): true
        default: false
        }
    }

    var isReleased: Bool {
        if case .released = state { true } else { false }
    }

    var error: (any Error)? {
        if case .failed(let error, isReported: _) = state { error } else { nil }
    }

    /// Returns the public form of `state`, for a content revision that was created with `range`.
    func elementState(_ range: SizeRange) -> ElementState {
        switch state {
        case .pending, .requested, .released(_, .pending), .released(_, .requested): .pending
        case .allocating, .measuring, .released: .allocating
        case .measured: .measured(range)
        case .measuredForLayout(let sizes): .measured(sizes.range ?? range)
        case .skipped: .skipped
        case .failed(let error, isReported: _): .failed(error)
        }
    }

    /// Returns the range in which the size was measured, for a content revision that was created
    /// with `range`; `nil` if it was not measured.
    func measuredRange(_ range: SizeRange) -> SizeRange? {
        switch state {
        case .measured: range
        case .measuredForLayout(let sizes): sizes.range ?? range
        case .released(let former, _): former.range ?? range
        case .pending, .requested, .allocating, .measuring, .skipped, .failed: nil
        }
    }

    /// Returns the size if it is final: the measured size, or the estimate if the content will
    /// never be measured.
    func size(orEstimate estimate: @autoclosure () -> Size) -> Size? {
        switch state {
        case .pending, .requested, .allocating, .measuring: nil
        case .measured(let size, traits: _): size
        case .measuredForLayout(let sizes): sizes.size
        case .released(let former, _): former.size
        case .skipped, .failed: estimate()
        }
    }

    /// Returns whether the content was measured with the traits of `generation`, or will be
    /// measured with the traits that are current then.
    func isMeasured(withTraits generation: UInt32) -> Bool {
        switch state {
        case .measuring(let traits), .measured(_, let traits), .released(_, .measuring(let traits)):
            traits == generation
        case .pending, .requested, .allocating, .released: true
        case .measuredForLayout(let sizes): sizes.traits == generation
        case .skipped, .failed: false
        }
    }

    /// Returns the size within a range that a layout requested before, if it is still remembered.
    func furtherSize(in range: SizeRange) -> Size? {
        guard case .measuredForLayout(let sizes) = state else { return nil }
        return sizes.further.first { $0.range == range }?.size
    }

    // MARK: Events

    /// Records a failure, either a final one or one within a further range, which is reported once.
    mutating func failureFound() -> ElementContent.Action {
        switch state {
        case .failed(let error, let isReported):
            state = .failed(error, isReported: true)
            return isReported ? .nothing : .report
        case .measured(let size, let traits):
            state = .measuredForLayout(
                LayoutSizes(size: size, range: nil, traits: traits, isFailureReported: true)
            )
            return .report
        case .measuredForLayout(var sizes):
            defer { state = .measuredForLayout(sizes) }
            defer { sizes.isFailureReported = true }
            return sizes.isFailureReported ? .nothing : .report
        // A content revision that was skipped meanwhile needs no report, and the other states
        // report their own end.
        case .pending, .requested, .allocating, .measuring, .released, .skipped: return .nothing
        }
    }

    /// Records that the size is requested, although measuring was deferred. The first request
    /// causes the content to be prepared.
    mutating func requested() -> ElementContent.Action {
        switch state {
        case .pending: state = .requested
        case .released(let former, .pending):
            state = .released(former, .requested)
        default: return .nothing
        }
        return .prepare
    }

    /// Records that a thread holds the claim and can prepare the content. Each content revision is
    /// prepared only once.
    mutating func claimed() -> ElementContent.Action {
        guard isPending else { return .nothing }
        if case .released(let former, _) = state {
            state = .released(former, .allocating)
        } else {
            state = .allocating
        }
        return .prepare
    }

    /// Records that the content's node, which has these traits, is about to be measured.
    mutating func measuringBegan(withTraits traits: UInt32) {
        switch state {
        case .allocating, .measuring:
            state = .measuring(traits: traits)
        // A layout measures within a further range.
        case .measured(let size, traits: _):
            state = .measured(size, traits: traits)
        case .measuredForLayout(var sizes):
            sizes.traits = traits
            state = .measuredForLayout(sizes)
        case .released(let former, .allocating), .released(let former, .measuring):
            state = .released(former, .measuring(traits: traits))
        // Measuring follows `claimed`, and no state follows a failed or skipped one.
        case .pending, .requested, .skipped, .failed, .released:
            break
        }
    }

    /// Records that the content's node has its first size.
    ///
    /// - Parameter range: The range of the size, if it is not the range that the content was
    ///   created with.
    mutating func measured(_ size: Size, in range: SizeRange?) {
        let traits: UInt32
        switch state {
        case .measuring(let received), .released(_, .measuring(let received)): traits = received
        // Not reachable: the measuring thread has noted that it measures, and it has the claim.
        default: return
        }
        if let range {
            state = .measuredForLayout(LayoutSizes(size: size, range: range, traits: traits))
        } else {
            state = .measured(size, traits: traits)
        }
    }

    /// Records that the content's node was measured within a further range, for a layout. The
    /// newest few sizes are remembered, because a layout tries only a handful of ranges.
    mutating func measuredFurther(_ size: Size, in range: SizeRange) {
        var sizes: LayoutSizes
        switch state {
        case .measured(let size, let traits):
            sizes = LayoutSizes(size: size, range: nil, traits: traits)
        case .measuredForLayout(let known):
            sizes = known
        // Further ranges are recorded only after the first size, so a content revision that never
        // gets a size has none.
        case .pending, .requested, .allocating, .measuring, .released, .skipped, .failed:
            return
        }
        if sizes.further.count >= 4 { sizes.further.removeFirst() }
        sizes.further.append((range, size))
        state = .measuredForLayout(sizes)
    }

    /// Records that the content's node is no longer needed. A size stays when the node is released.
    mutating func nodeUnneeded() -> ElementContent.Action {
        switch state {
        case .measured(let size, traits: _):
            state = .released(ReleasedSize(size: size, range: nil), .pending)
        case .measuredForLayout(let sizes):
            state = .released(ReleasedSize(size: sizes.size, range: sizes.range), .pending)
        // A deferred content revision uses whichever node the element has by then.
        case .pending, .released(_, .pending): break
        case .requested, .allocating, .measuring, .released, .skipped, .failed: return .nothing
        }
        return .releaseNode
    }

    /// Records that the element's removal was accepted, or the controller was closed, after
    /// preparing had started.
    mutating func skipped() {
        // A content revision that was measured or has failed keeps its state.
        switch state {
        case .allocating: state = .skipped
        // It is shown with its former size until it is removed.
        case .released(let former, .allocating): state = .released(former, .pending)
        default: break
        }
    }

    /// Records that the content's provider or its measuring threw an error.
    mutating func failed(_ error: any Error) {
        switch state {
        // A layout, or a caller that requests the node, may have it made before the content is
        // prepared.
        case .pending, .requested, .allocating, .measuring, .released:
            state = .failed(error, isReported: false)
        case .failed(_, let isReported): state = .failed(error, isReported: isReported)
        // An error within a further range does not change the size, and a skipped content is not
        // measured.
        case .measured, .measuredForLayout, .skipped: break
        }
    }
}
