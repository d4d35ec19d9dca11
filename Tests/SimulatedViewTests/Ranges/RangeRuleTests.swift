import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What decides about ranges, as values.
@Suite("Rules of ranges")
struct RangeRuleTests {
    /// The table row by row, written down a second time.
    private static func expected(
        _ isSeen: Bool,
        _ mode: RangeMode,
        _ isVisible: Bool,
        _ isInDisplay: Bool,
        _ isInPreload: Bool
    ) -> InterfaceState {
        switch (isSeen, isVisible, isInDisplay, isInPreload) {
        case (true, true, _, _): [.preload, .display, .visible]
        case (true, false, true, true): [.preload, .display]
        case (true, false, true, false): .display
        case (true, false, false, true): .preload
        case (true, false, false, false): []
        case (false, true, _, _): mode == .lowMemory ? .preload : [.preload, .display]
        case (false, false, true, _): .preload
        case (false, false, false, _): []
        }
    }

    @Test func everyRowOfTheTableOfStates() {
        let both = [false, true]
        for mode in RangeMode.allCases {
            for isSeen in both {
                for bits in 0..<8 {
                    let (visible, display, preload) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0)
                    let placement = RangePlacement(
                        isVisible: visible,
                        isInDisplayRange: display,
                        isInPreloadRange: preload
                    )
                    let state = InterfaceState(placement, in: mode, isContainerVisible: isSeen)
                    let expected = Self.expected(isSeen, mode, visible, display, preload)
                    #expect(state == expected, "\(mode) \(isSeen) \(placement)")
                }
            }
        }
    }

    @Test func modesFollowFromWhatHappensAndFromMemory() {
        var conditions = RangeConditions()
        #expect(conditions.mode == .minimum)
        conditions.scrolled()
        #expect(conditions.mode == .minimum, "before the first update")
        conditions.updated()
        #expect(conditions.mode == .full)
        conditions.isContainerVisible = false
        #expect(conditions.mode == .minimum)
        conditions.memoryPressure = .warning
        #expect(conditions.mode == .lowMemory)
        conditions.isContainerVisible = true
        #expect(conditions.mode == .visibleOnly)
        conditions.memoryPressure = .critical
        #expect(conditions.mode == .lowMemory)
        conditions.memoryPressure = .normal
        conditions.enteredBackground()
        #expect(conditions.isInBackground && conditions.mode == .visibleOnly)
        conditions.isContainerVisible = false
        #expect(conditions.mode == .lowMemory)
        conditions.requestedMode = .full
        #expect(conditions.mode == .full, "what is asked for goes first")
        conditions.requestedMode = nil
        conditions.isContainerVisible = true
        conditions.enteredForeground()
        #expect(
            !conditions.isInBackground && conditions.mode == .minimum,
            "nobody has scrolled since"
        )
        conditions.scrolled()
        #expect(conditions.mode == .full)
    }

    @Test func rangesHaveTheUsualReachUnlessTheyAreTuned() throws {
        let usual = RangeMode.allCases.flatMap { mode in
            RangeType.allCases.map { type in
                "\(mode) \(type): \(RangeTuningParameters.standard(for: type, in: mode))"
            }
        }
        #expect(
            usual == [
                "minimum display: 0.25 leading, 0.25 trailing",
                "minimum preload: 0.5 leading, 0.25 trailing",
                "full display: 1.0 leading, 0.5 trailing",
                "full preload: 2.5 leading, 1.5 trailing",
                "visibleOnly display: 0.0 leading, 0.0 trailing",
                "visibleOnly preload: 0.0 leading, 0.0 trailing",
                "lowMemory display: 0.0 leading, 0.0 trailing",
                "lowMemory preload: 0.0 leading, 0.0 trailing",
            ]
        )
        let ranges = RangeController()
        let pairs = [RangeMode.minimum, .full].flatMap { mode in
            RangeType.allCases.map { (mode, $0) }
        }
        for (index, (mode, type)) in pairs.enumerated() {
            let tuned = try RangeTuningParameters(leading: Double(index), trailing: 7)
            ranges.setTuningParameters(tuned, for: type, in: mode)
            #expect(ranges.tuningParameters(for: type, in: mode) == tuned)
        }
        #expect(ranges.tuningParameters(for: .display, in: .minimum).leading == 0, "each its own")
        // Without a mode it is about `full`.
        #expect(ranges.tuningParameters(for: .display).leading == 2)
        ranges.setTuningParameters(.zero, for: .display)
        #expect(ranges.tuningParameters(for: .display, in: .full) == .zero)
    }

    @Test(arguments: [(-0.1, 0), (0, -1), (.nan, 0), (1, .nan), (.infinity, 0), (0, .infinity)])
    func whatIsNoNumberOfScreenfulsIsAnError(_ leading: Double, _ trailing: Double) {
        let error = #expect(throws: ViewError.self) {
            try RangeTuningParameters(leading: leading, trailing: trailing)
        }
        #expect(error?.code == .rangeTuning)
        #expect(error?.message.contains("\(leading)") == true)
        #expect(error?.message.contains("\(trailing)") == true)
    }

    @Test func rangesReachInTheDirectionOfScrollingAndAlongWhatScrolls() throws {
        var viewport = Viewport(bounds: Rect(x: 50, y: 200, width: 100, height: 10))
        let parameters = try RangeTuningParameters(leading: 2, trailing: 0.5)
        func rect(_ x: Double?, _ y: Double?) -> String {
            "\(RangeGeometry(viewport, direction: (x, y)).rect(parameters))"
        }
        viewport.contentSize = Size(width: 100, height: 10)
        #expect(rect(nil, nil) == "(50.0, 200.0) 100.0 × 10.0", "nothing scrolls")
        viewport.contentSize = Size(width: 100, height: 11)
        #expect(rect(nil, nil) == "(50.0, 195.0) 100.0 × 35.0", "down at first")
        #expect(rect(1, 1) == "(50.0, 195.0) 100.0 × 35.0")
        #expect(rect(1, -1) == "(50.0, 180.0) 100.0 × 35.0")
        viewport.contentSize = Size(width: 101, height: 10)
        #expect(rect(nil, nil) == "(0.0, 200.0) 350.0 × 10.0", "right at first")
        #expect(rect(-1, 1) == "(-150.0, 200.0) 350.0 × 10.0")
        viewport.insets.isRightToLeft = true
        #expect(rect(nil, nil) == "(-150.0, 200.0) 350.0 × 10.0", "left at first")
        viewport.contentSize = Size(width: 100, height: 10)
        viewport.insets.content = EdgeInsets(top: 1)
        #expect(rect(nil, nil) == "(50.0, 195.0) 100.0 × 35.0", "what is kept free scrolls too")
        viewport.insets.content = EdgeInsets(bottom: 1)
        #expect(rect(nil, nil) == "(50.0, 195.0) 100.0 × 35.0")
        for inset in [EdgeInsets(left: 1), EdgeInsets(right: 1)] {
            viewport.insets.content = inset
            #expect(rect(1, 1) == "(0.0, 200.0) 350.0 × 10.0")
        }
        let endless = try RangeTuningParameters(leading: .greatestFiniteMagnitude, trailing: 1e300)
        let whole = RangeGeometry(viewport, direction: (nil, nil)).rect(endless)
        #expect(whole.minY.isFinite && whole.maxY.isFinite && whole.size.isValid)
    }

    /// A page more on each side, but only where content scrolls: across there is nothing to be asked for.
    @Test func whatIsAskedForGoesAPageFurtherAlongWhatScrolls() {
        let bounds = Rect(x: 0, y: 0, width: 100, height: 10)
        func surroundings(ofContent size: Size) -> Rect {
            var viewport = Viewport(bounds: bounds)
            viewport.contentSize = size
            return RangeGeometry(viewport, direction: (nil, nil)).surroundings(of: bounds)
        }
        let vertical = surroundings(ofContent: Size(width: 100, height: 50))
        #expect(vertical == Rect(x: 0, y: -10, width: 100, height: 30))
        let horizontal = surroundings(ofContent: Size(width: 500, height: 10))
        #expect(horizontal == Rect(x: -100, y: 0, width: 300, height: 10))
    }

    @Test func aRangeMayReachOneWayAlone() throws {
        #expect(try RangeTuningParameters(leading: 1, trailing: 0).trailing == 0)
        #expect(try RangeTuningParameters(leading: 0, trailing: 1).leading == 0)
    }

    @Test func pressureRisesFromNormalToCritical() {
        let all = MemoryPressure.allCases
        for (index, pressure) in all.enumerated() {
            for (other, otherPressure) in all.enumerated() {
                #expect((pressure < otherPressure) == (index < other))
            }
        }
    }

    @Test func statesAndPressureAreNamed() {
        let states: [InterfaceState] = [[], .preload, [.display, .visible], [.visible, .preload]]
        let names = ["none", "preload", "display, visible", "preload, visible"]
        #expect(states.map(\.description) == names)
        #expect(MemoryPressure.allCases.sorted() == [.normal, .warning, .critical])
        #expect(MemoryPressure.warning < .critical && !(MemoryPressure.warning < .warning))
    }
}
