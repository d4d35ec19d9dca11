import SwiftSyntax

extension SyntaxProtocol {
    /// The UTF-8 offsets of the node in the file, without surrounding trivia.
    var trimmedOffsets: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// Whether the node is a whole condition, which is forced to true and to false.
    var isForcedCondition: Bool {
        guard let parent else { return false }
        if let element = parent.as(ConditionElementSyntax.self) {
            return element.parent?.parent?.is(WhileStmtSyntax.self) != true
        }
        if let ternary = parent.as(TernaryExprSyntax.self) {
            return ternary.condition.trimmedOffsets == trimmedOffsets
        }
        return parent.is(WhereClauseSyntax.self)
    }

    /// Whether the node is a comparison that orders elements: the whole closure of a `sort`,
    /// `sorted`, `min` or `max`.
    var isOrder: Bool {
        guard let item = parent?.as(CodeBlockItemSyntax.self),
            let closure = item.parent?.parent?.as(ClosureExprSyntax.self),
            closure.statements.count == 1
        else { return false }
        let call =
            closure.parent?.as(FunctionCallExprSyntax.self)
            ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
        let name = call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return ["sort", "sorted", "min", "max"].contains(name ?? "")
    }

    /// The enclosing declarations, as `Type.Nested.member(label:)`.
    var declarationName: String {
        var names: [String] = []
        var node: Syntax? = Syntax(self)
        while let current = node {
            if let name = current.ownName { names.append(name) }
            node = current.parent
        }
        return names.reversed().joined(separator: ".")
    }

    /// The enclosing function, accessor or initializer; the file if there is none.
    var enclosingFunction: Syntax {
        enclosing { node in
            node.is(FunctionDeclSyntax.self) || node.is(InitializerDeclSyntax.self)
                || node.is(AccessorBlockSyntax.self) || node.is(DeinitializerDeclSyntax.self)
                || node.is(SubscriptDeclSyntax.self)
        }
    }

    var enclosingStatement: Syntax {
        enclosing { $0.is(CodeBlockItemSyntax.self) || $0.is(MemberBlockItemSyntax.self) }
    }

    private func enclosing(_ isWanted: (Syntax) -> Bool) -> Syntax {
        var node = Syntax(self)
        while let parent = node.parent {
            if isWanted(node) { return node }
            node = parent
        }
        return node
    }
}

extension Syntax {
    fileprivate var ownName: String? {
        func call(_ name: String, _ signature: FunctionSignatureSyntax) -> String {
            let labels = signature.parameterClause.parameters.map { "\($0.firstName.text):" }
            return "\(name)(\(labels.joined()))"
        }
        if let node = self.as(FunctionDeclSyntax.self) {
            return call(node.name.text, node.signature)
        }
        if let node = self.as(InitializerDeclSyntax.self) { return call("init", node.signature) }
        if self.is(SubscriptDeclSyntax.self) { return "subscript" }
        if self.is(DeinitializerDeclSyntax.self) { return "deinit" }
        if let node = self.as(VariableDeclSyntax.self) {
            guard parent?.is(MemberBlockItemSyntax.self) == true else { return nil }
            return node.bindings.first?.pattern.trimmedDescription
        }
        if let node = self.as(ExtensionDeclSyntax.self) {
            return node.extendedType.trimmedDescription
        }
        if let node = self.asProtocol((any NamedDeclSyntax).self), !self.is(FunctionDeclSyntax.self)
        {
            return node.name.text
        }
        return nil
    }
}

extension CodeBlockItemSyntax {
    /// Whether the item's value is the value of its block: of a function, a closure or a branch.
    var isValue: Bool {
        guard let items = parent?.as(CodeBlockItemListSyntax.self), items.count == 1 else {
            return false
        }
        return items.parent.map(Self.hasValue) ?? false
    }

    private static func hasValue(_ owner: Syntax) -> Bool {
        if let closure = owner.as(ClosureExprSyntax.self) {
            // The value of an assignment is never used.
            guard case .expr(let expression)? = closure.statements.first?.item else { return true }
            return expression.as(InfixOperatorExprSyntax.self)?.operator.is(
                AssignmentExprSyntax.self
            )
                != true
        }
        if owner.is(AccessorBlockSyntax.self) { return true }
        if let accessor = owner.parent?.as(AccessorDeclSyntax.self) {
            return ["get", "_read", "_modify"].contains(accessor.accessorSpecifier.text)
        }
        if let function = owner.parent?.as(FunctionDeclSyntax.self) {
            let type = function.signature.returnClause?.type.trimmedDescription
            return type != nil && type != "Void" && type != "()"
        }
        if let branch = owner.parent?.as(IfExprSyntax.self) { return isUsed(Syntax(branch)) }
        if let branch = owner.as(SwitchCaseSyntax.self) {
            guard let choice = branch.parent?.parent?.as(SwitchExprSyntax.self) else {
                return false
            }
            return isUsed(Syntax(choice))
        }
        return false
    }

    /// Returns whether an `if` or `switch` is an expression whose value is used.
    private static func isUsed(_ branch: Syntax) -> Bool {
        guard let parent = branch.parent else { return false }
        if let outer = parent.as(IfExprSyntax.self) { return isUsed(Syntax(outer)) }
        guard parent.is(ExpressionStmtSyntax.self) else { return true }
        return parent.parent?.as(CodeBlockItemSyntax.self)?.isValue ?? false
    }
}

extension TokenSyntax {
    /// Returns the offsets from this token to another one, inclusive.
    func offsets(through last: TokenSyntax) -> Range<Int> {
        trimmedOffsets.lowerBound..<last.trimmedOffsets.upperBound
    }
}
