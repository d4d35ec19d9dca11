/// Neighbours in one section of the state between updates that were neighbours at the start, or that are all new,
/// and that the same has happened to since.
struct ItemStretch: Equatable {
    /// Where the first was at the start; a negative section where they are new.
    var oldSection: Int
    var oldItem: Int
    var count: Int
    var history = History()

    /// Items that are new.
    static func fresh(_ count: Int, _ history: History = History()) -> ItemStretch {
        ItemStretch(oldSection: -1, oldItem: 0, count: count, history: history)
    }

    var isFresh: Bool { oldSection < 0 }

    /// Whether the items are still the ones of the start, and not their replacements.
    var isKept: Bool { !isFresh && history.state != .replaced }

    /// A part of the stretch, from `offset` on.
    func part(_ offset: Int, _ count: Int) -> ItemStretch {
        ItemStretch(
            oldSection: oldSection,
            oldItem: isFresh ? 0 : oldItem + offset,
            count: count,
            history: history
        )
    }

    /// Whether `next`, standing directly behind, is more of the same.
    @inline(__always)
    func continues(with next: ItemStretch) -> Bool {
        history == next.history && continuesInOrigin(with: next)
    }

    /// Whether `next` came from directly behind, whatever happened to it.
    @inline(__always)
    func continuesInOrigin(with next: ItemStretch) -> Bool {
        oldSection == next.oldSection && (isFresh || oldItem + count == next.oldItem)
    }
}

extension ItemStretch {
    /// What has happened to an item, as far as it matters to the update from the start to the end.
    ///
    /// In one word, so that neighbours compare quickly. Options are kept by number, see ``OptionCodes``; number 0
    /// says that there is none.
    struct History: Equatable {
        enum State: UInt64 {
            case untouched
            case reconfigured
            case replaced
        }

        private var bits: UInt64 = 0

        /// What it is now.
        var state: State {
            get { State(rawValue: bits & 3) ?? .untouched }
            set { bits = bits & ~3 | newValue.rawValue }
        }

        /// The option with which it came, moved or was replaced last.
        var arrival: UInt32 {
            get { UInt32(truncatingIfNeeded: bits >> 2 & 0x7FFF_FFFF) }
            set { bits = bits & ~(0x7FFF_FFFF << 2) | UInt64(newValue) << 2 }
        }

        /// The option with which it was reconfigured last.
        var update: UInt32 {
            get { UInt32(truncatingIfNeeded: bits >> 33) }
            set { bits = bits & 0x1_FFFF_FFFF | UInt64(newValue) << 33 }
        }

        init() {}

        init(state: State = .untouched, arrival: UInt32) {
            self.state = state
            self.arrival = arrival
        }
    }

    /// The items are replaced by fresh ones at the same place.
    mutating func replace(_ option: UInt32) {
        history = History(state: isFresh ? .untouched : .replaced, arrival: option)
    }

    /// The items are updated in place. What is new or replaced anyway stays that, with the later option.
    mutating func reconfigure(_ option: UInt32) {
        if isKept {
            history.state = .reconfigured
            history.update = option
        } else {
            history.arrival = option
        }
    }
}

/// Numbers for animation options, so that a history fits into a word. 0 stands for none.
struct OptionCodes {
    private var options: [AnimationOption] = [.automatic]
    private var codes: [AnimationOption: UInt32] = [:]

    @inline(__always)
    mutating func code(of option: AnimationOption) -> UInt32 {
        option == .automatic ? 1 : codeOfRare(option)
    }

    private mutating func codeOfRare(_ option: AnimationOption) -> UInt32 {
        if let code = codes[option] { return code }
        options.append(option)
        // 2³¹ different options do not fit into memory.
        let code = UInt32(truncatingIfNeeded: options.count)
        codes[option] = code
        return code
    }

    func option(of code: UInt32) -> AnimationOption {
        code == 0 ? .automatic : options[Int(code) - 1]
    }
}
