import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Typical mistakes and the texts of their errors. Each starts with the loaded sections `a b c` and
/// `d`.
@Suite("Texts of rejections", .endsHangs)
struct ErrorTextTests {
    typealias Controller = DataController<TextDataSource>

    /// A mistake in one updates closure, with the first two lines of its error's text.
    struct Mistake: Sendable {
        let code: String
        let summary: String
        let hint: String
        var model = "It may have been changed; undo that, or reload"
        let make: @Sendable (TextDataSource, inout BatchRecorder) throws -> Void
    }

    static let mistakes: [Mistake] = [
        Mistake(
            code: "itemCount",
            summary: "section 0: 3 before + 0 inserted - 0 deleted = 3, but there are 4",
            hint: "Likely cause: The data source changed but nothing was recorded. Record every"
                + " change in the batch that makes it.",
            model: "It keeps the changes of the batch; undo them, or reload"
        ) { source, _ in source.sections[0].items.append("x") },
        Mistake(
            code: "itemCount",
            summary: "section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 3",
            hint: "Likely cause: Edits were recorded but no count of the data source changed."
                + " Change it before the batch ends, and implement numberOfSections() if there is more"
                + " than one section.",
            model: "Its counts are those of the last accepted state; if items were changed, undo"
                + " that, or reload"
        ) { _, changes in changes.insertItems(at: [ItemPath(0, 0)]) },
        Mistake(
            code: "updatesThrew",
            summary: "The updates closure threw, so its whole record was dropped:"
                + #" TestFailure(text: "no row")"#,
            hint: "Throw a Withdrawal before you change anything, undo the changes of the model, or"
                + " reload."
        ) { _, _ in throw TestFailure("no row") },
        Mistake(
            code: "dataSourceChangedDuringRead",
            summary: "Section 0 of the data source had 4 items, and 9 after their content was read",
            hint: "Change the model in updates closures only, never in a member of the data source."
        ) { source, changes in
            source.onCall = { [unowned source] call in
                if case .nodeProvider = call { source.falseItemCounts[0] = 9 }
            }
            source.append("x", &changes)
        },
    ]

    /// Checks the summary, the advice, the number, the state of the model, and the code with
    /// UIKit's words.
    @Test(arguments: mistakes.indices)
    func typicalMistakesAreNamedWithAdvice(_ row: Int) async throws {
        let mistake = Self.mistakes[row]
        let scene = Scene(.dispatch, [["a", "b", "c"], ["d"]])
        try await scene.controller.reloadData()
        let thrown = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { try mistake.make($0, &$1) }
        }
        let error = try #require(thrown)
        let lines = error.description.split(separator: "\n").map(String.init)
        #expect(Array(lines.prefix(2)) == [mistake.summary, mistake.hint])
        #expect(error.summary == mistake.summary && mistake.hint.hasSuffix("\(error.hint ?? "-")."))
        #expect(lines.contains("Submission: #2"))
        #expect(lines.contains("Model: \(mistake.model)"))
        #expect(lines.last?.hasPrefix("[\(mistake.code)]") == true)
        if error.hierarchyError != nil {
            #expect(lines.contains("Data source: TextDataSource"))
            #expect(lines.contains("Before: { 2 sections with item counts: [3, 1] }"))
        }
        let event = try #require(scene.events.events(.rejected).first)
        #expect("\(event)".hasPrefix("collection #2 rejected: \(error.summary)"))
        #expect(!"\(event)".contains("\n"))
        await scene.close()
    }

    /// Calls that are wrong themselves, during the life of a controller with a backlog limit of
    /// one.
    @Test(arguments: Substrate.allCases)
    func everyOtherRejectionContainsAdvice(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 1 }
        let (controller, errors) = (scene.controller, Journal<UpdateError>())
        @Sendable func note(_ body: () throws(UpdateError) -> Void) {
            do throws(UpdateError) { try body() } catch { errors.append(error) }
        }
        func noteAsync(_ body: () async throws(UpdateError) -> Void) async {
            do throws(UpdateError) { try await body() } catch { errors.append(error) }
        }
        try await controller.reloadData()
        let map = controller.pendingMap
        await scene.onMain { controller in
            let list = controller.assumeIsolated()
            note { () throws(UpdateError) in _ = try list.endUpdates() }
            note { () throws(UpdateError) in try list.relayoutItems(at: [ItemPath(0, 3)]) }
            note { () throws(UpdateError) in try list.deleteSections([7]) }
            note { () throws(UpdateError) in try list.relayoutAllNodes() }
            list.dataSource.onCall = { _ in
                list.dataSource.onCall = nil
                note { () throws(UpdateError) in try list.reloadData() }
            }
            note { () throws(UpdateError) in try list.performBatchUpdates() }
        }
        try await controller.reloadData()
        await noteAsync { () throws(UpdateError) in
            try await controller.submit(HierarchyChangeSet(), recordedAgainst: map) { _ in }
        }
        await noteAsync { () throws(UpdateError) in
            try await controller.performBatchUpdates { _, _ in throw Withdrawal(TestFailure("no")) }
        }
        await scene.onMain { controller in
            scene.view.mode = .onDemand
            let list = controller.assumeIsolated()
            note { () throws(UpdateError) in try list.reloadData() }
            note { () throws(UpdateError) in try list.performBatchUpdates() }
        }
        let waiting = Task { try await controller.performBatchUpdates { _, _ in } }
        waiting.cancel()
        let result = await waiting.result
        do { _ = try result.get() } catch let error as UpdateError { errors.append(error) }
        await scene.onMain { controller in
            scene.view.catchUp()
            scene.view.onApply = { _ in throw TestFailure("not shown") }
        }
        await scene.settle()
        await noteAsync { () throws(UpdateError) in try await controller.reloadData() }
        controller.close {}
        await noteAsync { () throws(UpdateError) in try await controller.reloadData() }
        let relayout =
            "A relayout needs counts that agree, but they may differ since submission #4;"
        let moment = "while the controller is calling it"
        let expected: [(code: String, message: String)] = [
            ("unbalancedEnd", "endUpdates() was called without beginUpdates()"),
            ("unknownElement", "There is no item at 0 - 3 to measure again in { 1 section"),
            ("deleteSectionRange", ""), ("diverged", "\(relayout) reload to catch up"),
            ("reentrantSubmission", "A data source must not submit to its controller \(moment)"),
            (
                "dataSourceChangedDuringRead",
                "The data source submitted to its controller while the controller was calling it"
            ),
            (
                "stale",
                "The change set was recorded against generation 1, but 2 is the newest; record"
            ),
            (
                "withdrawn",
                #"The updates closure withdrew before it changed anything: Test"#
            ),
            ("backlogFull", "1 change sets are accepted and not yet deployed, and 1 is the limit"),
            ("cancelled", "The task was cancelled before its edits were accepted"),
            ("viewRefused", "The view refused to load: TestFailure(text: \"not shown\")"),
            ("closed", "Controller 'collection' is clos"),
        ]
        let found = errors.values
        #expect(
            found.map { $0.hierarchyError?.code.rawValue ?? $0.code.rawValue }
                == expected.map(\.code)
        )
        for (error, row) in zip(found, expected) {
            let number = try #require(error.submission, "\(row.code)")
            let lines = error.description.split(separator: "\n").map(String.init)
            #expect(error.message.hasPrefix(row.message), "\(error.message)")
            #expect(lines.first == error.summary && error.summary.count < 100)
            #expect(
                error.code == .withdrawn || lines[1].hasSuffix("\(error.hint ?? "-")."),
                "\(row.code)"
            )
            #expect(lines.last?.hasPrefix("[\(row.code)]") == true)
            #expect(lines.contains("Submission: \(number)"))
        }
        #expect(Set(found.map(\.submission)).count == found.count)
        await scene.close()
    }

    @Test func errorsNameTheSubmissionThatCausedDivergence() {
        let (first, second) = (SubmissionID(rawValue: 1), SubmissionID(rawValue: 2))
        let counts = "The data source may differ from the last accepted state since submission #1;"
        let content = "Items may be older than in the data source since submission #"
        let advice = "reload, or declareContentCurrent() in a batch"
        let cases: [(Divergence?, String)] = [
            (nil, ""),
            (.counts(since: second), "It may have been changed; undo that, or reload"),
            (.counts(since: first), "\(counts) reload to catch up"),
            (.content(since: first), "\(content)1; \(advice)"),
            (.content(since: second), "\(content)2; \(advice)"),
        ]
        let long = String(repeating: "refused\n", count: 20)
        for (divergence, text) in cases {
            for message in ["A text", long] {
                var error = UpdateError(.stale, message)
                error.divergence = divergence
                error.submission = second
                let model = text.isEmpty ? "" : "Model: \(text)\n"
                let rest = message == long ? " \(long)" : ""
                let advice = "Record the change set again, against the newest pendingMap."
                #expect(
                    error.description
                        == "\(error.summary)\n\(advice)\nSubmission: #2\n\(model)[stale]\(rest)"
                )
                #expect(error.summary.count < 100)
            }
        }
        let numbers = [12, 3, 1, 2].map { SubmissionID(rawValue: $0) }
        #expect(numbers.sorted().map(\.description) == ["#1", "#2", "#3", "#12"])
    }

    // MARK: Log lines

    /// Waits and errors come first, and then the other fields in a fixed order.
    @Test func eventsPrintTheirFieldsInOneLine() {
        struct Refusal: Error, CustomStringConvertible {
            var description: String { "refused\nbecause of it" }
        }
        func line(
            _ kind: PipelineEvent.Kind,
            _ number: Int?,
            _ set: (inout PipelineEvent) -> Void = { _ in }
        ) -> String {
            let id = number.map { SubmissionID(rawValue: $0) }
            var event = PipelineEvent(
                kind: kind,
                pipeline: "feed",
                submission: id,
                callerContext: nil,
                timestamp: .zero
            )
            set(&event)
            return "\(event)"
        }
        let stall = Stall(wait: .mainLane, submission: nil, since: .zero)
        let everything = line(.rejected, 4) {
            $0.wait = .backlogCapacity
            $0.stall = stall
            $0.error = Refusal()
            (($0.editCount, $0.elementCount), $0.backlog) = ((2, 1), 3)
            $0.divergence = .content(since: SubmissionID(rawValue: 3))
            $0.duration = .milliseconds(3)
        }
        #expect(
            everything == "feed #4 rejected: waits for room in the backlog, \(stall), refused,"
                + " 2 edits, 1 element, backlog 3, diverged in content since #3, took 3 ms"
        )
        #expect(line(.closed, nil) == "feed closed")
        let ended = line(.stallEnded, nil) { ($0.stall, $0.duration) = (stall, .seconds(2)) }
        let over = "The controller no longer waits for a turn of the main lane"
        #expect(ended == "feed stallEnded: \(over), took 2 s")
        let element = ProvidedElement(
            model: "a",
            provider: nil,
            configuration: ElementConfiguration(
                sizeRange: .unconstrained,
                elementEnvironment: ElementEnvironment(Traits())
            )
        )
        let failure = ElementFailure(
            submission: SubmissionID(rawValue: 4),
            content: element.firstContent,
            dataSourcePath: ItemPath(0, 3),
            viewPath: ItemPath(0, 2),
            error: TestFailure()
        )
        // A failed element contains its own error.
        let failed = line(.elementFailed, 4) {
            ($0.failedElement, $0.error) = (failure, TestFailure("not printed"))
        }
        let text = "item 0 - 3 (view: 0 - 2) failed in #4: \(TestFailure())"
        #expect(failed == "feed #4 elementFailed: \(text)")
    }

    @Test func durationsHaveThreeDigitsAndAUnit() {
        let texts: [(Duration, String)] = [
            (.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1 µs"),
            (.nanoseconds(5_700), "5.7 µs"), (.nanoseconds(9_994), "9.99 µs"),
            (.nanoseconds(9_995), "10 µs"), (.nanoseconds(10_050), "10.1 µs"),
            (.nanoseconds(99_949), "99.9 µs"), (.nanoseconds(99_950), "100 µs"),
            (.nanoseconds(999_499), "999 µs"), (.nanoseconds(999_500), "1 ms"),
            (.milliseconds(312), "312 ms"), (.milliseconds(2_050), "2.05 s"),
            (.seconds(86_400), "86400 s"), (.nanoseconds(-1_500), "-1.5 µs"),
            (Duration(attoseconds: 1), "0 ns"), (.seconds(Int64.max), "9223372036854775807 s"),
            // Half of the last digit is rounded up in every unit.
            (Duration(attoseconds: 1_005_000_000), "1.01 ns"), (.microseconds(1_005), "1.01 ms"),
        ]
        for (duration, text) in texts { #expect(duration.shortText == text) }
    }
}
