import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every site in a file that can be mutated.
final class MutationFinder: SyntaxVisitor {
    /// Calls that check something or reserve capacity. They are not part of a program's behaviour.
    private static let ignoredCalls: Set = ["assert", "assertionFailure"]
    private static let ignoredMethods = [".reserveCapacity"]
    /// Calls that never return, so they cannot be omitted.
    private static let endings: Set = ["fatalError", "preconditionFailure"]

    private(set) var sites: [MutationSite] = []
    private let file: String
    private let source: SourceText
    private let tree: SourceFileSyntax

    init(file: String, text: String) {
        self.file = file
        source = SourceText(text)
        let parsed = Parser.parse(source: text)
        // An unknown operator is not folded, and not mutated.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        tree = folded.as(SourceFileSyntax.self) ?? parsed
        super.init(viewMode: .sourceAccurate)
    }

    func find() -> [MutationSite] {
        walk(tree)
        // Mutations with equal text are distinguished by their order.
        var seen: [String: Int] = [:]
        for site in sites.indices {
            for index in sites[site].mutations.indices {
                let key = sites[site].mutations[index].key
                sites[site].mutations[index].occurrence = seen[key, default: 0]
                seen[key, default: 0] += 1
            }
        }
        return sites
    }

    // MARK: Syntax that is skipped

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    /// Skips conditional compilation, because a usual build may not compile it.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if Self.isIgnored(node) { return .skipChildren }
        findExtreme(node)
        findMember(node)
        return .visitChildren
    }

    static func isIgnored(_ expression: some ExprSyntaxProtocol) -> Bool {
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        let name = call.calledExpression.trimmedDescription
        return ignoredCalls.contains(name) || ignoredMethods.contains { name.hasSuffix($0) }
    }

    // MARK: Making sites

    /// A replacement of text that shows the effect of a mutation.
    struct Shown {
        let kind: Mutation.Kind
        let range: Range<Int>
        let text: String

        init(_ kind: Mutation.Kind, _ node: some SyntaxProtocol, _ text: String) {
            self.init(kind, node.trimmedOffsets, text)
        }

        init(_ kind: Mutation.Kind, _ range: Range<Int>, _ text: String) {
            (self.kind, self.range, self.text) = (kind, range, text)
        }
    }

    func add(
        _ node: some SyntaxProtocol,
        _ shown: [Shown],
        opening: String,
        closing: String,
        replacing replaced: Range<Int>? = nil,
        by text: String = ",",
        changesFlow: Bool = false
    ) {
        let declaration = node.declarationName
        let mutations = shown.map { shown in
            let lines = source.lines(of: shown.range, replacedBy: shown.text)
            return Mutation(
                kind: shown.kind,
                file: file,
                declaration: declaration,
                line: source.line(at: shown.range.lowerBound),
                original: lines.original,
                mutated: lines.mutated
            )
        }
        sites.append(
            MutationSite(
                span: node.trimmedOffsets,
                mutations: mutations,
                opening: opening,
                closing: closing,
                replacement: replaced.map { .init(range: $0, text: text) },
                changesFlow: changesFlow,
                function: node.enclosingFunction.trimmedOffsets,
                statement: node.enclosingStatement.trimmedOffsets
            )
        )
    }

    func wrap(_ node: some SyntaxProtocol, in function: String, _ shown: Shown...) {
        add(node, shown, opening: "\(function)(\(MutationSite.number), ", closing: ")")
    }

    // MARK: Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if let token = node.operator.as(BinaryOperatorExprSyntax.self) { findBinary(node, token) }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.operator.text {
        case "!" where !node.isForcedCondition:
            wrap(node, in: "_muFlip", Shown(.negation, node.operator, ""))
        case "-" where !node.expression.is(IntegerLiteralExprSyntax.self):
            add(
                node,
                [Shown(.arithmetic, node.operator, "")],
                opening: "_muNegative(",
                closing: ")",
                replacing: node.operator.trimmedOffsets,
                by: "\(MutationSite.number), "
            )
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // For an operand of an arithmetic operator, the operator itself is mutated.
        if let infix = node.parent?.as(InfixOperatorExprSyntax.self),
            let token = infix.operator.as(BinaryOperatorExprSyntax.self),
            Self.arithmetic[token.operator.text] != nil
                || ["+=", "-="].contains(token.operator.text)
        {
            return .skipChildren
        }
        let value = node.literal.text.replacing("_", with: "")
        let next = Int(value).map { String($0 + 1) } ?? "(\(value) + 1)"
        wrap(node, in: "_muNext", Shown(.offByOne, node, next))
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let isEndlessLoop =
            node.literal.text == "true"
            && node.parent?.parent?.parent?.is(WhileStmtSyntax.self) == true
        guard !node.isForcedCondition, !isEndlessLoop else { return .skipChildren }
        let other = node.literal.text == "true" ? "false" : "true"
        wrap(node, in: "_muFlip", Shown(.boolean, node, other))
        return .skipChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        force(node.condition)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        findProperty(node)
        return .visitChildren
    }

    // MARK: Statements

    override func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
        findConditions(node)
        return .visitChildren
    }

    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
        wrap(node.condition, in: "_muForceFalse", Shown(.conditionFalse, node.condition, "false"))
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        force(node.condition)
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .expr(let expression) = node.item, Self.isIgnored(expression) {
            return .skipChildren
        }
        findRemoval(node)
        return .visitChildren
    }

    override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind {
        let statements = node.body.statements
        guard !statements.isEmpty else { return .visitChildren }
        add(
            statements,
            [Shown(.deferred, node, "")],
            opening: "if _muKeep(\(MutationSite.number)) { ",
            closing: " }"
        )
        return .visitChildren
    }

    static func isEnding(_ expression: ExprSyntax) -> Bool {
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        let name = call.calledExpression.trimmedDescription
        return endings.contains(name) || name == "self.init" || name == "super.init"
    }
}
