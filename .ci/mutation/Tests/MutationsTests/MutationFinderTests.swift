import Testing

@testable import Mutations

/// What a line inside a function becomes, by kind of mutation.
private func mutations(of body: String, returning type: String = "Void") -> [String] {
    let text = "func f(a: Int, b: Int, c: [Int]) -> \(type) {\n\(body)\n}\n"
    return MutatedFile.mutations(in: text, path: "File.swift").map { mutation in
        "\(mutation.kind.rawValue): \(mutation.mutated.joined(separator: " / "))"
    }
}

@Suite struct MutationFinderTests {
    @Test func comparisonsAreMovedAndNegated() {
        #expect(
            mutations(of: "return a < b", returning: "Bool") == [
                "comparison boundary: return a <= b",
                "comparison or condition negated: return a >= b",
            ]
        )
    }

    @Test func conditionsAreForcedBothWaysAndComparisonsWithinOnlyMoved() {
        #expect(
            mutations(of: "if a >= b { g(); g() }").filter { !$0.hasPrefix("statement") } == [
                "condition forced true: if true { g(); g() }",
                "condition forced false: if false { g(); g() }",
                "comparison boundary: if a > b { g(); g() }",
            ]
        )
    }

    @Test func loopsAreNeverMadeEndless() {
        #expect(
            mutations(of: "while a < b { g() }") == [
                "condition forced false: while false { g() }",
                "comparison boundary: while a <= b { g() }",
                "comparison or condition negated: while a >= b { g() }",
                "statement removed: while a < b {  }",
            ]
        )
        #expect(mutations(of: "while true { break }") == ["early exit removed: while true {  }"])
    }

    @Test func bindingsAreForcedFalseOnly() {
        #expect(
            mutations(of: "guard let x = c.min() else { return }") == [
                "condition forced false: guard false else { return }",
                "minimum and maximum swapped: guard let x = c.max() else { return }",
            ]
        )
    }

    @Test(arguments: [
        ("let x = a + b", "arithmetic: let x = a - b"),
        ("let x = a &* b", "arithmetic: let x = a &+ b"),
        ("let x = -a", "arithmetic: let x = a"),
        ("let x = min(a, b)", "minimum and maximum swapped: let x = max(a, b)"),
        ("let x = c.first", "first and last swapped: let x = c.last"),
        (
            "let x = c.lastIndex { $0 == a }",
            "first and last swapped: let x = c.firstIndex { $0 == a }"
        ),
        ("let x = c.sorted()", "order of elements: let x = c"),
        ("let x = c.dropFirst(a)", "first and last swapped: let x = c.dropLast(a)"),
        ("let x = a..<b", "range half-open or closed: let x = a...b"),
        ("let x = a...b", "range half-open or closed: let x = a..<b"),
        ("let x = h && i", "logical operator swapped: let x = h || i"),
        ("let x = 7", "number off by one: let x = 8"),
        ("let x = true", "truth value flipped: let x = false"),
        ("let x = a == b", "comparison or condition negated: let x = a != b"),
    ])
    func eachOperatorHasItsMutation(line: String, expected: String) {
        #expect(mutations(of: line).contains(expected), "\(mutations(of: line))")
    }

    @Test func statementsWithoutAUsedResultAreRemoved() {
        #expect(mutations(of: "g(a)\nh(b)") == ["statement removed: ", "statement removed: "])
        #expect(mutations(of: "g(a)", returning: "Int") == [])
        #expect(mutations(of: "let x = if h { g(a) } else { g(b) }").count == 2)
        #expect(mutations(of: "fatalError()") == [])
    }

    @Test func whatForcingAConditionDoesAlreadyIsNotRemovedToo() {
        #expect(mutations(of: "if h { g() }").count == 2)
        #expect(mutations(of: "if h { g() } else { g() }").count == 4)
    }

    @Test func exitsAreRemovedWhereSomethingFollows() {
        #expect(
            mutations(of: "for x in c { g(x); return 1 }\nreturn 2", returning: "Int")
                .contains("early exit removed: for x in c { g(x);  }")
        )
        #expect(!mutations(of: "return a", returning: "Int").contains { $0.hasPrefix("early") })
        #expect(!mutations(of: "guard h else { return }").contains { $0.hasPrefix("early") })
    }

    @Test func defersAreDropped() {
        #expect(mutations(of: "defer { x = y }").contains("defer dropped: "))
    }

    @Test func checksAndDeliberateBugsAreLeftAlone() {
        #expect(mutations(of: "assert(a < b)\nif Mutant.bug.isActive { return }") == [])
        #expect(mutations(of: "let x = h && !Mutant.bug.isActive") == [])
        #expect(mutations(of: "let x = a + (Mutant.bug.isActive ? 2 : b)") == [])
        #expect(mutations(of: "let x = \"a\" + \"b\"") == [])
    }

    @Test func whatNobodyCouldTellIsLeftAlone() {
        #expect(mutations(of: "c.reserveCapacity(a + b)") == [])
        #expect(mutations(of: "let x = a...a") == [])
        #expect(mutations(of: "switch a { default: break }") == [])
        #expect(
            mutations(of: "c.sort { $0.a < $1.a }") == [
                "statement removed: ", "comparison or condition negated: c.sort { $0.a >= $1.a }",
            ]
        )
    }

    @Test func mutationsThatReadTheSameAreToldApart() {
        let text = "func f() {\ng(1)\ng(1)\n}\n"
        let found = MutatedFile.mutations(in: text, path: "File.swift")
        #expect(Set(found.map(\.key)).count == found.count)
        #expect(Set(found.map(\.entry)).count == 2)
    }

    @Test func aDeclarationIsNamedWithItsTypesAndLabels() {
        let text = "extension A.B { struct C { func d(e f: Int, _ g: Int) { h(); i() } } }"
        let found = MutatedFile.mutations(in: text, path: "File.swift")
        #expect(found.map(\.declaration) == ["A.B.C.d(e:_:)", "A.B.C.d(e:_:)"])
    }
}
