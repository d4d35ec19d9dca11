import TestSupport
import Testing

@testable import CollectionElements

/// Three revisions on their way at once, in every order in which they may be prepared and shown.
@Suite("Revisions of an element on their way")
struct ElementRevisionTests {
    /// In place or with another node, there and back again.
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

    /// Each revision is prepared before it is shown, and each in its turn.
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
    ///   - asking: the step before which somebody asks for the node; nil for never.
    ///   - changing: the step before which the traits change.
    private func fault(
        _ texts: [String],
        _ steps: [Step],
        asking: Int?,
        changing: Int
    ) throws -> String? {
        var script = ElementScript("a")
        for text in texts { script.revise(text) }
        // Asked for before its time, a node may be measured again without need.
        let isEarly = asking == 1
        for (number, step) in steps.enumerated() {
            if asking == number { _ = try script.element.waitForNode() }
            if changing == number { script.changeTraits() }
            if let fault = run(step, script, ["a"] + texts, isEarly: isEarly) {
                return "step \(number): \(fault)"
            }
        }
        let changes = zip(["a"] + texts, texts).filter { $0.first != $1.first }
        if isEarly { return nil }
        let nodes = script.nodes.values.map(\.noted)
        if nodes.count != 1 + changes.count { return "\(nodes.count) nodes" }
        let inPlace = zip(["a"] + texts, texts).filter { $0.first == $1.first }.map { $1 }
        let updates = nodes.flatMap(\.updates)
        if updates.sorted() != inPlace.sorted() { return "updates \(updates)" }
        let old = nodes.first { $0.told != $0.told.sorted() }
        return old.map { "a node was told \($0.told)" }
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
            // A node that was made for the last one may not take the first.
            if case .failed = element.prepare(contents[0]), !isEarly { return "failed" }
        case .prepare(let number):
            guard case .measured = element.prepare(contents[number]) else { return "not measured" }
            let size = DiaryNode.size(of: texts[number])
            if contents[number].size != size { return "another size than \(size)" }
            let measurement = newestMeasurement(of: texts[number], script)
            let isMadeForIt = script.nodes.values.last?.noted.measurements.count == 1
            if !isEarly, measurement?.isAskedWithModel == isMadeForIt { return "asked wrongly" }
        case .show(let number):
            element.show(contents[number], isReconfigured: true)
            shown = number
            let text = script.node?.noted.text
            if text != texts[number] { return "\(text ?? "nothing"), not \(texts[number])" }
            if contents[number].replacement != nil { return "the node is handed over twice" }
        }
        if let told = script.node?.noted.told.last, told != script.traits { return "old traits" }
        for content in contents.dropFirst() where content.size != nil {
            if let fault = traitsFault(content, script, isEarly) { return fault }
        }
        let last = String(texts[3].prefix(1))
        if shown == 3 {
            if !element.acceptsInPlace(last + "x") { return "its own letter is not accepted" }
            if element.acceptsInPlace("x") { return "another letter is accepted" }
        } else if element.acceptsInPlace(last + "x") {
            return "accepted, though another node may be on its way"
        }
        return nil
    }

    private func newestMeasurement(
        of text: String,
        _ script: ElementScript
    ) -> DiaryNode.Measurement? {
        let found = script.nodes.values.compactMap { node in
            node.noted.measurements.last { $0.text == text }
        }
        return found.last
    }

    /// Whether the element knows with which traits a content was measured.
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

    @Test func everyOrderLeadsToTheLastModelByWayOfTheOthers() throws {
        #expect(Self.orders.count == 5 && Self.orders.allSatisfy { $0.count == Self.stepCount })
        for texts in Self.texts {
            for (number, steps) in Self.orders.enumerated() {
                for changing in 0...Self.stepCount {
                    for asking in [nil, 0, 1, 2, 4, 6] {
                        let fault = try fault(texts, steps, asking: asking, changing: changing)
                        guard let fault else { continue }
                        Issue.record(
                            """
                            \(texts) in order \(number), asked before \(asking ?? -1), other \
                            traits before \(changing): \(fault)
                            """
                        )
                        return
                    }
                }
            }
        }
    }
}
