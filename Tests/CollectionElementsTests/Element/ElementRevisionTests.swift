import TestSupport
import Testing

@testable import CollectionElements

/// Three pending revisions, in every order in which they can be prepared and shown.
@Suite("Pending revisions of an element")
struct ElementRevisionTests {
    /// Revisions in place and with another node, there and back again.
    private static let texts: [[String]] = [
        ["a1", "a2", "a3"], ["a1", "a2", "b"], ["a1", "b", "b2"], ["a1", "b", "c"],
        ["b", "b2", "b3"], ["b", "b2", "c"], ["b", "c", "c2"], ["b", "c", "d"],
        ["b", "a", "a4"], ["b", "a", "b5"], ["a1", "b", "a6"],
    ]

    private enum Step {
        case accept
        case prepareFirst
        case prepare(Int)
        case show(Int)
    }

    /// Each revision is prepared before it is shown, and both happen in the order of the revisions.
    private static let orders: [[Step]] = {
        var orders: [[Step]] = []
        func extend(_ steps: [Step], _ prepared: Int, _ shown: Int) {
            if shown == 3 { orders.append(steps) }
            if prepared < 3 { extend(steps + [.prepare(prepared + 1)], prepared + 1, shown) }
            if shown < prepared { extend(steps + [.show(shown + 1)], prepared, shown + 1) }
        }
        extend([.accept, .prepareFirst], 0, 0)
        return orders
    }()

    private static let stepCount = 8

    /// - Parameters:
    ///   - requestStep: the step before which a caller requests the node; nil for never.
    ///   - traitsStep: the step before which the traits change.
    private func fault(
        _ texts: [String],
        _ steps: [Step],
        requestStep: Int?,
        traitsStep: Int
    ) throws -> String? {
        var script = ElementScript("a")
        for text in texts { script.revise(text) }
        // If the node is requested this early, it may be measured again unnecessarily.
        let isEarly = requestStep == 1
        for (number, step) in steps.enumerated() {
            if requestStep == number { _ = try script.element.waitForNode() }
            if traitsStep == number { script.changeTraits() }
            if let fault = run(step, script, ["a"] + texts, isEarly: isEarly) {
                return "step \(number): \(fault)"
            }
        }
        let changes = zip(["a"] + texts, texts).filter { $0.first != $1.first }
        if isEarly { return nil }
        let nodes = script.nodes.values.map(\.recorded)
        if nodes.count != 1 + changes.count { return "\(nodes.count) nodes" }
        let inPlace = zip(["a"] + texts, texts).filter { $0.first == $1.first }.map { $1 }
        let updates = nodes.flatMap(\.updates)
        if updates.sorted() != inPlace.sorted() { return "updates \(updates)" }
        let old = nodes.first { $0.traits != $0.traits.sorted() }
        return old.map { "a node received \($0.traits)" }
    }

    private func run(
        _ step: Step,
        _ script: ElementScript,
        _ texts: [String],
        isEarly: Bool
    ) -> String? {
        let (element, contents) = (script.element, script.contents)
        var shown = 0
        switch step {
        case .accept:
            contents.dropFirst().forEach(element.accept)
            if element.content != contents[3] { return "not the newest" }
        case .prepareFirst:
            // A node that was made for the last revision may not accept the first.
            if case .failed = element.prepare(contents[0]), !isEarly { return "failed" }
        case .prepare(let number):
            guard case .measured = element.prepare(contents[number]) else { return "not measured" }
            let size = RecordingNode.size(of: texts[number])
            if contents[number].size != size { return "another size than \(size)" }
            let measurement = newestMeasurement(of: texts[number], script)
            let isMadeForIt = script.nodes.values.last?.recorded.measurements.count == 1
            if !isEarly, measurement?.passesModel == isMadeForIt { return "wrong model" }
        case .show(let number):
            element.show(contents[number], isReconfigured: true)
            shown = number
            let text = script.node?.recorded.text
            if text != texts[number] { return "\(text ?? "nothing"), not \(texts[number])" }
            if contents[number].replacement != nil { return "the node is handed over twice" }
        }
        if let traits = script.node?.recorded.traits.last, traits != script.traits {
            return "old traits"
        }
        for content in contents.dropFirst() where content.size != nil {
            if let fault = traitsFault(content, script, isEarly) { return fault }
        }
        let last = String(texts[3].prefix(1))
        if shown == 3 {
            if !element.acceptsInPlace(last + "x") { return "its own letter is not accepted" }
            if element.acceptsInPlace("x") { return "another letter is accepted" }
        } else if element.acceptsInPlace(last + "x") {
            return "accepted although another node may be pending"
        }
        return nil
    }

    private func newestMeasurement(
        of text: String,
        _ script: ElementScript
    ) -> RecordingNode.Measurement? {
        let found = script.nodes.values.compactMap { node in
            node.recorded.measurements.last { $0.text == text }
        }
        return found.last
    }

    /// Returns a fault if the element is wrong about the traits with which a content was measured.
    private func traitsFault(
        _ content: ElementContent,
        _ script: ElementScript,
        _ isEarly: Bool
    ) -> String? {
        let text = content.model as? String ?? ""
        guard let measurement = newestMeasurement(of: text, script) else { return "not measured" }
        let isCurrent = measurement.traits == script.traits
        let isTakenForCurrent = script.element.isMeasuredWithCurrentTraits(content)
        if isCurrent == isTakenForCurrent || isCurrent && isEarly { return nil }
        return "\(text) was measured with traits \(measurement.traits)"
    }

    @Test func everyOrderShowsEveryModelAndEndsWithTheLast() throws {
        #expect(Self.orders.count == 5 && Self.orders.allSatisfy { $0.count == Self.stepCount })
        for texts in Self.texts {
            for (number, steps) in Self.orders.enumerated() {
                for traitsStep in 0...Self.stepCount {
                    for requestStep in [nil, 0, 1, 2, 4, 6] {
                        let fault = try fault(
                            texts,
                            steps,
                            requestStep: requestStep,
                            traitsStep: traitsStep
                        )
                        guard let fault else { continue }
                        Issue.record(
                            """
                            \(texts) in order \(number), request before \(requestStep ?? -1), new \
                            traits before \(traitsStep): \(fault)
                            """
                        )
                        return
                    }
                }
            }
        }
    }
}
