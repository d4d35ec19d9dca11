import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Lays out as its test says.
private final class ScriptedLayout: LayoutDelegate {
    private let body: @Sendable (ElementMap, LayoutMeasurer) throws -> Int

    init(_ body: @escaping @Sendable (ElementMap, LayoutMeasurer) throws -> Int) {
        self.body = body
    }

    func layoutContext(for map: ElementMap) {}

    func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) throws -> Int {
        try body(map, measurer)
    }
}

@Suite("Layout delegates that take long, fail or ask for anything", .endsHangs)
struct BadLayoutDelegateTests {
    private func layouts(_ scene: Scene) -> [Int?] {
        scene.view.received.values.map { $0.layout as? Int }
    }

    private func names(_ scene: Scene) -> [String] { scene.outcomes.values.map(\.description) }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatTakesLongHoldsTheUpdatesBehindItAndNothingElse(_ substrate: Substrate) async throws {
        let gate = Gate(isOpen: true)
        defer { gate.open() }
        let delegate = ScriptedLayout { map, _ in
            gate.pass()
            return map.generation
        }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        gate.close()
        try await scene.append("b")
        await gate.reached(by: 2)
        try await scene.append("c")
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { try $0.assumeIsolated().insertItems(at: [ItemPath(0, 9)]) }
        }
        #expect(scene.controller.pendingMap.numberOfItems == 3)
        #expect(scene.controller.visibleMap.numberOfItems == 1)
        #expect(names(scene) == [])
        gate.open()
        await scene.settle()
        #expect(names(scene) == ["b: deployed", "c: deployed"])
        #expect(layouts(scene) == [1, 2, 3])
        await scene.close()
    }

    /// Whether it answers or throws then; the second set is never laid out.
    @Test(.holdsWorker, arguments: Substrate.threaded, [false, true])
    func whatAnswersAfterTheCloseReachesNobody(
        _ substrate: Substrate,
        _ isThrown: Bool
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let codes = Journal<UpdateError.Code?>()
        let delegate = ScriptedLayout { map, measurer in
            gate.pass()
            let error = #expect(throws: UpdateError.self) {
                try measurer.size(ofItemAt: ItemPath(0, 0), in: .width(3))
            }
            codes.append(error?.code)
            if isThrown { throw TestFailure("late") }
            return map.generation
        }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate, workerCount: 1)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        await gate.reached()
        try await scene.append("b")
        await scene.close(draining: false)
        #expect(names(scene) == ["load: cancelled", "b: cancelled"])
        gate.open()
        await scene.stage.workersAreDone()
        #expect(codes.values == [.closed])
        #expect(layouts(scene) == [] && scene.nodes.made.count == 0)
        #expect(scene.events.events(.layoutFailed).isEmpty)
        #expect(names(scene).count == 2)
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aCloseThatDrainsWaitsForWhatTakesLong(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let delegate = ScriptedLayout { map, _ in
            gate.pass()
            return map.generation
        }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        await gate.reached()
        let closed = Journal<Void>()
        scene.controller.close(draining: true) { closed.append(()) }
        await #expect(throws: UpdateError.self) { try await scene.append("late") }
        #expect(closed.count == 0)
        gate.open()
        await closed.values(count: 1)
        #expect(names(scene).last == "load: deployed" && layouts(scene) == [1])
    }

    /// The Nth, for every N.
    @Test(arguments: Substrate.allCases, 1...3)
    func whicheverFailsTheOthersAreGivenToTheView(
        _ substrate: Substrate,
        _ number: Int
    ) async throws {
        let delegate = ScriptedLayout { map, measurer in
            _ = try measurer.size(ofItemAt: ItemPath(0, 0), in: .width(3))
            if map.generation == number { throw TestFailure("\(number)") }
            return map.generation
        }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        for text in ["b", "c"] { try await scene.append(text) }
        await scene.settle()
        #expect(layouts(scene) == (1...3).map { $0 == number ? nil : $0 })
        #expect(names(scene) == ["b: deployed", "c: deployed"])
        let failures = scene.events.events(.layoutFailed)
        #expect(failures.map(\.submission?.rawValue) == [number])
        #expect(failures.first?.error as? TestFailure == TestFailure("\(number)"))
        #expect(scene.nodes.measurementCount(of: "a") == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatItAsksForThatIsNotThereIsAnErrorWithItsPlace(_ substrate: Substrate) async throws {
        let numbers = [Int.min, -1, 1, Int.max]
        let paths = numbers.flatMap { [ItemPath($0, 0), ItemPath(0, $0), ItemPath($0, $0)] }
        let delegate = ScriptedLayout { map, measurer in
            for path in paths {
                let error = #expect(throws: UpdateError.self) {
                    try measurer.size(ofItemAt: path, in: .width(3))
                }
                #expect(error?.code == .unknownElement)
                #expect(error?.message.contains("item \(path), but the map has") == true)
            }
            return Int(try measurer.size(ofItemAt: ItemPath(0, 0), in: .width(3)).height)
        }
        let scene = Scene(substrate, [["four"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        #expect(layouts(scene) == [2])
        await scene.close()
    }

    /// A range whose numbers are none is the node's affair; a size that is none is an error.
    @Test(arguments: Substrate.allCases, [-1, .infinity, -.infinity, .nan] as [Double])
    func aRangeOfNoNumbersIsAskedOfTheNodeAndFailsAlone(
        _ substrate: Substrate,
        _ width: Double
    ) async throws {
        let range = SizeRange.width(width)
        let errors = Journal<String>()
        let delegate = ScriptedLayout { map, measurer in
            do {
                _ = try measurer.size(ofItemAt: ItemPath(0, 0), in: range)
            } catch {
                errors.append("\(error)")
            }
            return Int(try measurer.size(ofItemAt: ItemPath(0, 1), in: .width(3)).height)
        }
        let scene = Scene(substrate, [["odd", "four"]], layoutDelegate: delegate)
        scene.nodes.onMeasure { text, range in
            text == "odd" ? Size(width: range.maximum.width, height: 1) : nil
        }
        let result = try await scene.controller.reloadData()
        #expect(result.failedElements.count == 1)
        #expect(errors.count == 1 && errors.values.first?.contains("\(width)") == true)
        #expect(layouts(scene) == [2])
        await scene.close()
    }
}
