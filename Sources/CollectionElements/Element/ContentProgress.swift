/// How far one content of an element has come.
///
/// A value: it is told what happened. The lock of the element, or of the revision, guards it. There is one
/// for each element, so it is small: what only few need is kept apart.
///
/// | state | what was done | goes on when |
/// |---|---|---|
/// | `pending` | nothing, or the node was made | preparing begins: `allocating`; the node's provider throws: `failed`; somebody wants its size, which was put off: `asked` |
/// | `asked` | as `pending`, and it is to be prepared soon | as `pending` |
/// | `allocating` | the node is being made or found | it is about to be measured: `measuring`; it is not needed any more: `skipped`; it throws: `failed` |
/// | `measuring` | the node is being measured | it has a size: `measured`; it throws: `failed` |
/// | `measured`, `measuredForLayout` | it has a size, and others within ranges that a layout asked for | its node is released: `released` |
/// | `released` | it has the size of a node that is gone, and goes the same way again | as `pending`, `asked`, `allocating` and `measuring` |
/// | `skipped`, `failed` | it goes by an estimate | |
struct ContentProgress {
    enum State {
        case pending
        case asked
        case allocating
        case measuring(traits: UInt32)
        /// Within the range that the content came with.
        case measured(Size, traits: UInt32)
        indirect case measuredForLayout(LayoutSizes)
        indirect case released(Former, Again)
        case skipped
        case failed(any Error, isTold: Bool)
    }

    /// What a layout had measured that decides about ranges itself.
    struct LayoutSizes {
        let size: Size
        /// Nil where it is that of the content.
        let range: SizeRange?
        /// Which traits the node had when measuring began.
        var traits: UInt32
        /// Within other ranges, oldest first.
        var further: [(range: SizeRange, size: Size)] = []
        /// Whether somebody was told that measuring failed within another range.
        var isFailureTold = false
    }

    /// What a node that was released had measured.
    struct Former {
        let size: Size
        /// Nil where it is that of the content.
        let range: SizeRange?
    }

    /// How far another node has come, in place of one that was released.
    enum Again {
        case pending
        case asked
        case allocating
        case measuring(traits: UInt32)
    }

    private(set) var state = State.pending

    var isPending: Bool {
        switch state {
        case .pending, .asked, .released(_, .pending), .released(_, .asked): true
        default: false
        }
    }

    var isAsked: Bool {
        switch state {
        case .asked, .released(_, .asked): true
        default: false
        }
    }

    var isReleased: Bool {
        if case .released = state { true } else { false }
    }

    var error: (any Error)? {
        if case .failed(let error, isTold: _) = state { error } else { nil }
    }

    /// What `state` is called outside, of a content that came with `range`.
    func elementState(_ range: SizeRange) -> ElementState {
        switch state {
        case .pending, .asked, .released(_, .pending), .released(_, .asked): .pending
        case .allocating, .measuring, .released: .allocating
        case .measured: .measured(range)
        case .measuredForLayout(let sizes): .measured(sizes.range ?? range)
        case .skipped: .skipped
        case .failed(let error, isTold: _): .failed(error)
        }
    }

    /// In which range the size was measured, of a content that came with `range`; nil where it was not.
    func measuredRange(_ range: SizeRange) -> SizeRange? {
        switch state {
        case .measured: range
        case .measuredForLayout(let sizes): sizes.range ?? range
        case .released(let former, _): former.range ?? range
        case .pending, .asked, .allocating, .measuring, .skipped, .failed: nil
        }
    }

    /// The size, if any is settled: measured, or the estimate where it never will be.
    func size(orEstimate estimate: @autoclosure () -> Size) -> Size? {
        switch state {
        case .pending, .asked, .allocating, .measuring: nil
        case .measured(let size, traits: _): size
        case .measuredForLayout(let sizes): sizes.size
        case .released(let former, _): former.size
        case .skipped, .failed: estimate()
        }
    }

    /// Whether it was measured with the traits of `generation`, or will be with those of then.
    func isMeasured(withTraits generation: UInt32) -> Bool {
        switch state {
        case .measuring(let traits), .measured(_, let traits), .released(_, .measuring(let traits)):
            traits == generation
        case .pending, .asked, .allocating, .released: true
        case .measuredForLayout(let sizes): sizes.traits == generation
        case .skipped, .failed: false
        }
    }

    /// The size within a range that a layout asked for before, where it is remembered.
    func furtherSize(in range: SizeRange) -> Size? {
        guard case .measuredForLayout(let sizes) = state else { return nil }
        return sizes.further.first { $0.range == range }?.size
    }

    // MARK: What happened

    /// Somebody is about to tell that it failed, for good or within a further range.
    ///
    /// - Returns: whether that is the first time.
    mutating func failureTold() -> Bool {
        switch state {
        case .failed(let error, let isTold):
            state = .failed(error, isTold: true)
            return !isTold
        case .measured(let size, let traits):
            state = .measuredForLayout(
                LayoutSizes(size: size, range: nil, traits: traits, isFailureTold: true)
            )
            return true
        case .measuredForLayout(var sizes):
            defer { state = .measuredForLayout(sizes) }
            defer { sizes.isFailureTold = true }
            return !sizes.isFailureTold
        // What was skipped meanwhile is not missed, and all else has an end of its own to come.
        case .pending, .asked, .allocating, .measuring, .released, .skipped: return false
        }
    }

    /// Somebody wants its size, which was put off.
    ///
    /// - Returns: whether that is the first time, and it is to be prepared.
    mutating func askedFor() -> Bool {
        switch state {
        case .pending: state = .asked
        case .released(let former, .pending):
            state = .released(former, .asked)
        default: return false
        }
        return true
    }

    /// A thread with the claim is to prepare it.
    ///
    /// - Returns: whether that is the first, which does it; a content is prepared once.
    mutating func begun() -> Bool {
        guard isPending else { return false }
        if case .released(let former, _) = state {
            state = .released(former, .allocating)
        } else {
            state = .allocating
        }
        return true
    }

    /// Its node is asked for a size, and has these traits.
    mutating func measuringBegan(withTraits traits: UInt32) {
        switch state {
        case .allocating, .measuring:
            state = .measuring(traits: traits)
        // A layout wants to know of a further range.
        case .measured(let size, traits: _):
            state = .measured(size, traits: traits)
        case .measuredForLayout(var sizes):
            sizes.traits = traits
            state = .measuredForLayout(sizes)
        case .released(let former, .allocating), .released(let former, .measuring):
            state = .released(former, .measuring(traits: traits))
        // Measuring follows on beginning, and nothing on giving up.
        case .pending, .asked, .skipped, .failed, .released:
            break
        }
    }

    /// Its node has its first size.
    ///
    /// - Parameter range: in which, where that is another than it came with.
    mutating func measured(_ size: Size, in range: SizeRange?) {
        let traits: UInt32
        switch state {
        case .measuring(let told), .released(_, .measuring(let told)): traits = told
        // Whoever measures it has said so, and has the claim: nothing else came in between.
        default: return
        }
        if let range {
            state = .measuredForLayout(LayoutSizes(size: size, range: range, traits: traits))
        } else {
            state = .measured(size, traits: traits)
        }
    }

    /// Its node was measured in a further range, which a layout asked for. The newest few are remembered:
    /// it tries a handful of them at most.
    mutating func measuredFurther(_ size: Size, in range: SizeRange) {
        var sizes: LayoutSizes
        switch state {
        case .measured(let size, let traits):
            sizes = LayoutSizes(size: size, range: nil, traits: traits)
        case .measuredForLayout(let known):
            sizes = known
        // Of what has no size yet the first range is no further one, and what never gets one is not measured.
        case .pending, .asked, .allocating, .measuring, .released, .skipped, .failed:
            return
        }
        if sizes.further.count >= 4 { sizes.further.removeFirst() }
        sizes.further.append((range, size))
        state = .measuredForLayout(sizes)
    }

    /// Its node is to be released.
    ///
    /// - Returns: whether it may be: it has a size, which stays.
    mutating func released() -> Bool {
        switch state {
        case .measured(let size, traits: _):
            state = .released(Former(size: size, range: nil), .pending)
        case .measuredForLayout(let sizes):
            state = .released(Former(size: sizes.size, range: sizes.range), .pending)
        case .pending, .asked, .allocating, .measuring, .released, .skipped, .failed: return false
        }
        return true
    }

    /// Its removal was accepted, or the controller closed, while preparing had begun.
    mutating func skipped() {
        // Whoever finds it measured, or failed, leaves it so.
        switch state {
        case .allocating: state = .skipped
        // It is shown in the size that it had until it goes.
        case .released(let former, .allocating): state = .released(former, .pending)
        default: break
        }
    }

    /// Its provider threw, or measuring did.
    mutating func failed(_ error: any Error) {
        switch state {
        // A layout, or whoever asks for the node, may have it made before it is prepared.
        case .pending, .asked, .allocating, .measuring, .released:
            state = .failed(error, isTold: false)
        case .failed(_, let isTold): state = .failed(error, isTold: isTold)
        // A further range that fails leaves the size as it is, and what is skipped is not measured.
        case .measured, .measuredForLayout, .skipped: break
        }
    }
}
