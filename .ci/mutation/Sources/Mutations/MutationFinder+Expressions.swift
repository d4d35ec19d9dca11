import SwiftSyntax

extension MutationFinder {
    /// The arithmetic operators, each with its replacement and the function that performs it.
    static let arithmetic: [String: (other: String, function: String)] = [
        "+": ("-", "_muPlus"), "-": ("+", "_muMinus"), "*": ("/", "_muTimes"),
        "/": ("*", "_muOver"),
    ]

    /// The comparisons, each with its boundary moved and negated, and the function that performs
    /// it.
    private static let comparisons:
        [String: (boundary: String, negation: String, function: String)] = [
            "<": ("<=", ">=", "_muLess"), "<=": ("<", ">", "_muAtMost"),
            ">": (">=", "<=", "_muMore"),
            ">=": (">", "<", "_muAtLeast"),
        ]

    private static let equalities = ["==": "!=", "!=": "==", "===": "!==", "!==": "==="]

    func findBinary(_ node: InfixOperatorExprSyntax, _ token: BinaryOperatorExprSyntax) {
        let name = token.operator.text
        if let (other, function) = Self.arithmetic[name] {
            guard !Self.isText(ExprSyntax(node)) else { return }
            infix(node, token, as: function, [Shown(.arithmetic, token, other)])
        } else if let (boundary, negation, function) = Self.comparisons[name] {
            // If the whole condition is forced, a test that finds that finds the negation too.
            if node.isOrder {
                // The boundary is not mutated: sorting requires a strict order, and no test could
                // notice the difference.
                wrap(node, in: "_muFlip", Shown(.negation, token, negation))
            } else {
                let shown = [Shown(.boundary, token, boundary), Shown(.negation, token, negation)]
                infix(node, token, as: function, node.isForcedCondition ? [shown[0]] : shown)
            }
        } else if let other = Self.equalities[name] {
            guard !node.isForcedCondition else { return }
            wrap(node, in: "_muFlip", Shown(.negation, token, other))
        } else if name == "&&" || name == "||" {
            guard !Self.isIgnored(node.leftOperand), !Self.isIgnored(node.rightOperand) else {
                return
            }
            let isAnd = name == "&&"
            infix(
                node,
                token,
                as: isAnd ? "_muAnd" : "_muOr",
                [Shown(.logic, token, isAnd ? "||" : "&&")]
            )
        } else if name == "..<" || name == "..." {
            let isHalfOpen = name == "..<"
            // A range of one element would become empty, which a closed range cannot be.
            if node.leftOperand.trimmedDescription == node.rightOperand.trimmedDescription {
                return
            }
            infix(
                node,
                token,
                as: isHalfOpen ? "_muUpTo" : "_muThrough",
                [Shown(.range, token, isHalfOpen ? "..." : "..<")]
            )
        } else if name == "+=" || name == "-=" {
            guard !Self.isText(node.rightOperand) else { return }
            let isPlus = name == "+="
            add(
                node,
                [Shown(.arithmetic, token, isPlus ? "-=" : "+=")],
                opening: "\(isPlus ? "_muPlusAssign" : "_muMinusAssign")(\(MutationSite.number), &",
                closing: ")",
                replacing: token.trimmedOffsets
            )
        }
    }

    /// Returns whether an expression concatenates text, as far as its syntax shows.
    private static func isText(_ expression: ExprSyntax) -> Bool {
        if let infix = expression.as(InfixOperatorExprSyntax.self) {
            return isText(infix.leftOperand) || isText(infix.rightOperand)
        }
        return expression.is(StringLiteralExprSyntax.self)
    }

    private func infix(
        _ node: InfixOperatorExprSyntax,
        _ token: BinaryOperatorExprSyntax,
        as function: String,
        _ shown: [Shown]
    ) {
        add(
            node,
            shown,
            opening: "\(function)(\(MutationSite.number), ",
            closing: ")",
            replacing: token.trimmedOffsets
        )
    }

    /// Finds `min(a, b)` and `max(a, b)`.
    func findExtreme(_ node: FunctionCallExprSyntax) {
        guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self),
            name.baseName.text == "min" || name.baseName.text == "max", node.arguments.count == 2,
            let opening = node.leftParen, node.arguments.allSatisfy({ $0.label == nil })
        else { return }
        let isMinimum = name.baseName.text == "min"
        add(
            node,
            [Shown(.extreme, name, isMinimum ? "max" : "min")],
            opening: isMinimum ? "_muMin" : "_muMax",
            closing: "",
            replacing: name.baseName.offsets(through: opening),
            by: "(\(MutationSite.number), "
        )
    }

    /// The methods of collections that have a counterpart or can be omitted.
    private static let methods: [String: (other: String?, function: String, kind: Mutation.Kind)] =
        [
            "min": ("max", "_muMin", .extreme), "max": ("min", "_muMax", .extreme),
            "first": ("last", "_muFirst", .end), "last": ("first", "_muLast", .end),
            "append": ("prepend", "_muAppend", .order), "sorted": (nil, "_muSorted", .order),
            "reversed": (nil, "_muReversed", .order),
            "allSatisfy": ("contains", "_muAllSatisfy", .logic),
        ]

    func findMember(_ node: FunctionCallExprSyntax) {
        guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            member.base != nil,
            let (other, function, kind) = Self.methods[member.declName.baseName.text],
            hasUsualArguments(node, of: member.declName.baseName.text)
        else { return }
        let name = member.declName.baseName
        let dropped = member.period.trimmedOffsets.lowerBound..<node.trimmedOffsets.upperBound
        let shown = other.map { Shown(kind, name, $0) } ?? Shown(kind, dropped, "")
        // A call without parentheses has only a trailing closure.
        let replaced = node.leftParen.map { name.offsets(through: $0) } ?? name.trimmedOffsets
        let rest = node.leftParen == nil ? ")" : node.arguments.isEmpty ? "" : ", "
        let text = "\(function)(\(MutationSite.number)\(rest)"
        add(node, [shown], opening: "", closing: "", replacing: replaced, by: text)
    }

    /// Returns whether a call has the arguments of the standard library's method with that name.
    private func hasUsualArguments(_ node: FunctionCallExprSyntax, of name: String) -> Bool {
        let labels = node.arguments.map { $0.label?.text }
        let closures = node.trailingClosure == nil ? 0 : 1
        switch name {
        case "min", "max", "reversed": return labels.isEmpty && closures == 0
        case "sorted": return labels.isEmpty || labels == ["by"]
        case "first", "last":
            return labels == ["where"] || labels.isEmpty && closures == 1
        case "append": return labels == [nil] || labels == ["contentsOf"]
        case "allSatisfy": return labels.isEmpty && closures == 1 || labels == [nil]
        default: return false
        }
    }

    /// Finds `first` and `last` of a collection.
    func findProperty(_ node: MemberAccessExprSyntax) {
        let name = node.declName.baseName
        guard node.base != nil, name.text == "first" || name.text == "last" else { return }
        if let call = node.parent?.as(FunctionCallExprSyntax.self),
            call.calledExpression.id == node.id
        {
            return
        }
        let isFirst = name.text == "first"
        add(
            node,
            [Shown(.end, name, isFirst ? "last" : "first")],
            opening: "",
            closing: "",
            replacing: name.trimmedOffsets,
            by: "\(isFirst ? "_muFirst" : "_muLast")(\(MutationSite.number))"
        )
    }
}
