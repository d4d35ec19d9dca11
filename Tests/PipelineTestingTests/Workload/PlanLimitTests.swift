import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a plan from outside may say, up to the last number that is allowed.
@Suite("Limits of plans") struct PlanLimitTests {
    private static func plan(_ change: (inout RunPlan) -> Void) -> RunPlan {
        var plan = RunPlan(seed: 1)
        (plan.clients, plan.faults, plan.view) = ([], [], nil)
        plan.strategy = .random
        change(&plan)
        return plan
    }

    private func check(_ change: (inout RunPlan) -> Void, isAllowed: Bool, _ what: String) {
        #expect((Self.plan(change).problem == nil) == isAllowed, "\(what)")
    }

    @Test func sizesAreWithinTheirLimits() {
        for (number, isAllowed) in [(0, false), (1, true), (64, true), (65, false)] {
            check({ $0.workerCount = number }, isAllowed: isAllowed, "\(number) workers")
        }
        for (number, isAllowed) in [(-1, false), (0, true), (100, true), (101, false)] {
            check({ $0.sections = number }, isAllowed: isAllowed, "\(number) sections")
        }
        for (number, isAllowed) in [(-1, false), (0, true), (1000, true), (1001, false)] {
            check({ $0.items = number }, isAllowed: isAllowed, "\(number) items")
        }
        for (number, isAllowed) in [(0, false), (1, true), (1_000_000, true), (1_000_001, false)] {
            check({ $0.backlogLimit = number }, isAllowed: isAllowed, "backlog \(number)")
        }
        for (number, isAllowed) in [(0, true), (64, true), (65, false)] {
            check(
                { $0.clients = Array(repeating: [.wait], count: number) },
                isAllowed: isAllowed,
                "\(number) clients"
            )
        }
        for (number, isAllowed) in [(10_000, true), (10_001, false)] {
            check(
                { $0.clients = [Array(repeating: .wait, count: number - 1), [.fail]] },
                isAllowed: isAllowed,
                "\(number) actions"
            )
        }
    }

    @Test func ratesAndCountsAreWithinTheirLimits() {
        let rates = [(-0.01, false), (0, true), (1.0, true), (1.01, false), (.nan, false)]
        for (rate, isAllowed) in rates {
            check(
                { $0.faults = [.init(point: .closes, rate: rate)] },
                isAllowed: isAllowed,
                "rate \(rate)"
            )
            check({ $0.strategy = .sticky(rate) }, isAllowed: isAllowed, "sticky \(rate)")
        }
        for (rate, isAllowed) in [(0.9, true), (0.91, false)] {
            check(
                {
                    $0.faults = [
                        .init(point: .closes, rate: 1), .init(point: .viewIsBusy, rate: rate),
                    ]
                },
                isAllowed: isAllowed,
                "busy \(rate)"
            )
        }
        for (number, isAllowed) in [(-1, false), (0, true), (1000, true), (1001, false)] {
            check(
                { $0.strategy = .prioritized(changes: number) },
                isAllowed: isAllowed,
                "\(number) changes"
            )
            check(
                { $0.strategy = .delayBounded(number) },
                isAllowed: isAllowed,
                "\(number) delays"
            )
        }
        for (number, isAllowed) in [(nil, true), (-1, false), (0, true), (.max, true)] {
            check(
                { $0.clients = [[.wait], [.close(draining: true, microseconds: number)]] },
                isAllowed: isAllowed,
                "deadline \(number.map { "\($0)" } ?? "none")"
            )
        }
    }

    @Test func viewsAreWithinTheirLimits() {
        for (number, isAllowed) in [(-1, false), (0, true), (1000, true), (1001, false)] {
            var random = SeededGenerator(seed: 1)
            let view = ViewPlan(&random)
            for isWidth in [true, false] {
                var plan = view
                if isWidth { plan.width = number } else { plan.height = number }
                #expect((plan.problem == nil) == isAllowed)
                check({ $0.view = plan }, isAllowed: isAllowed, "extent \(number)")
            }
        }
    }

    static let actions: [(make: @Sendable (Int) -> ViewAction, limit: Int, isSigned: Bool)] = [
        ({ .scroll($0) }, 1_000_000, true), ({ .drag(turns: 1, tenths: $0) }, 1_000_000, true),
        ({ .drag(turns: $0, tenths: 1) }, 100, false),
        ({ .resize(width: $0, height: 5, isAnimated: true) }, 1000, false),
        ({ .resize(width: 5, height: $0, isAnimated: false) }, 1000, false),
        ({ .touch(3, turns: $0) }, 100, false), ({ .idle($0) }, 1000, false),
        ({ .inset($0) }, 1000, false),
    ]

    @Test func whatIsDoneToViewsIsWithinItsLimits() {
        for (make, limit, isSigned) in Self.actions {
            let least = isSigned ? -limit : 0
            for number in [least, 0, limit] { #expect(make(number).problem == nil) }
            for number in [least - 1, limit + 1] {
                let action = make(number)
                #expect(action.problem == "a number is out of range: \(action)")
                check({ $0.clients = [[.view(action)]] }, isAllowed: false, "\(action)")
            }
        }
        let free: [ViewAction] = [
            .scrollToItem(.max), .select(.max), .changeWish(.max), .invalidate,
            .setLayout(.flow, isAnimated: true),
        ]
        for action in free { #expect(action.problem == nil) }
    }

    @Test func whatIsDoneToViewsIsSaidInAFewWords() {
        let texts: [(ViewAction, String)] = [
            (.scroll(-3), "scroll -3"), (.scrollToItem(4), "scroll to an item"),
            (.drag(turns: 2, tenths: 7), "drag 7 in 2 turns"),
            (.resize(width: 3, height: 4, isAnimated: true), "resize to 3 × 4 animated"),
            (.resize(width: 3, height: 4, isAnimated: false), "resize to 3 × 4"),
            (.setLayout(.pages, isAnimated: true), "layout pages animated"),
            (.setLayout(.list, isAnimated: false), "layout list"),
            (.touch(1, turns: 5), "touch for 5 turns"), (.select(1), "select"),
            (.idle(6), "idle 6"), (.changeWish(1), "change a wish"), (.inset(8), "inset 8"),
            (.invalidate, "invalidate"), (.range(.isSeen), "range: isSeen"),
            (.fetch(.triesTailAgain), "fetch: triesTailAgain"),
        ]
        for (action, text) in texts { #expect(action.description == text) }
        var random = SeededGenerator(seed: 1)
        var view = ViewPlan(&random)
        (view.layout, view.width, view.height) = (.flow, 3, 4)
        for sizesItself in [true, false] {
            for isPrefetching in [true, false] {
                (view.sizesItself, view.isPrefetching) = (sizesItself, isPrefetching)
                view.hasRanges = sizesItself == isPrefetching
                view.hasFetcher = isPrefetching
                #expect(
                    view.description == "simulated view 3 × 4, layout flow"
                        + (sizesItself ? ", self-sizing" : "")
                        + (isPrefetching ? ", prefetching" : "")
                        + (view.hasRanges ? ", ranges" : "")
                        + (view.hasFetcher ? ", fetching" : "")
                )
            }
        }
    }
}
