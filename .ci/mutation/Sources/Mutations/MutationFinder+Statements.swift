import SwiftSyntax

extension MutationFinder {
    // MARK: Conditions

    /// Forces a condition to true and to false.
    func force(_ condition: ExprSyntax) {
        guard !Self.isIgnored(condition) else { return }
        wrap(
            condition,
            in: "_muForce",
            Shown(.conditionTrue, condition, "true"),
            Shown(.conditionFalse, condition, "false")
        )
    }

    func findConditions(_ conditions: ConditionElementListSyntax) {
        // A loop condition is not forced to true: every test would notice an endless loop.
        let isLoop = conditions.parent?.is(WhileStmtSyntax.self) == true
        var bindsSomething = false
        for element in conditions {
            switch element.condition {
            case .expression(let condition):
                guard !Self.isIgnored(condition) else { continue }
                if isLoop, condition.is(BooleanLiteralExprSyntax.self) { continue }
                if isLoop {
                    let shown = Shown(.conditionFalse, condition, "false")
                    wrap(condition, in: "_muForceFalse", shown)
                } else {
                    force(condition)
                }
            case .optionalBinding, .matchingPattern: bindsSomething = true
            default: break
            }
        }
        // Bindings cannot be forced to succeed. It is enough that one of several fails.
        guard bindsSomething, let first = conditions.first else { return }
        if case .expression = first.condition { return }
        add(
            first,
            [Shown(.conditionFalse, conditions, "false")],
            opening: "_muKeep(\(MutationSite.number)), ",
            closing: ""
        )
    }

    // MARK: Removing

    func findRemoval(_ item: CodeBlockItemSyntax) {
        switch item.item {
        case .expr(let expression): findRemoval(of: expression, item)
        case .stmt(let statement): findExit(statement, item)
        case .decl: break
        }
    }

    private func findRemoval(of expression: ExprSyntax, _ item: CodeBlockItemSyntax) {
        guard !Self.isEnding(expression), !item.isValue, !isWholeBranch(item) else { return }
        if let infix = expression.as(InfixOperatorExprSyntax.self) {
            let isAssignment = infix.operator.is(AssignmentExprSyntax.self)
            let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
            guard isAssignment || name?.hasSuffix("=") == true else { return }
            if isAssignment, isFirstAssignment(to: infix.leftOperand, item) { return }
        } else if !Self.isCall(expression) {
            return
        }
        remove(item, .statement, changesFlow: false)
    }

    private static func isCall(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isCall(attempt.expression) }
        if let wait = expression.as(AwaitExprSyntax.self) { return isCall(wait.expression) }
        if let chain = expression.as(OptionalChainingExprSyntax.self) {
            return isCall(chain.expression)
        }
        return expression.is(FunctionCallExprSyntax.self)
    }

    /// Returns whether an assignment cannot be omitted, because it initializes a stored property in
    /// an initializer, or a constant that is declared without a value.
    private func isFirstAssignment(to target: ExprSyntax, _ item: CodeBlockItemSyntax) -> Bool {
        let name = target.trimmedDescription
        var node: Syntax? = Syntax(item)
        while let current = node {
            if current.is(InitializerDeclSyntax.self) {
                return target.is(DeclReferenceExprSyntax.self) || target.is(TupleExprSyntax.self)
                    || (name.hasPrefix("self.") && name.filter { $0 == "." }.count == 1)
            }
            if let block = current.as(CodeBlockItemListSyntax.self),
                block.contains(where: { declares($0, name) })
            {
                return true
            }
            if current.is(FunctionDeclSyntax.self) || current.is(AccessorDeclSyntax.self) {
                return false
            }
            node = current.parent
        }
        return false
    }

    private func declares(_ item: CodeBlockItemSyntax, _ name: String) -> Bool {
        guard case .decl(let declaration) = item.item,
            let variable = declaration.as(VariableDeclSyntax.self)
        else { return false }
        return variable.bindings.contains {
            $0.initializer == nil && $0.accessorBlock == nil
                && $0.pattern.trimmedDescription == name
        }
    }

    /// Returns whether a statement is the whole body of a branch. Forcing the condition then has
    /// the same effect as removing the statement.
    private func isWholeBranch(_ item: CodeBlockItemSyntax) -> Bool {
        guard let items = item.parent?.as(CodeBlockItemListSyntax.self), items.count == 1,
            let branch = items.parent?.parent?.as(IfExprSyntax.self), branch.elseBody == nil
        else { return false }
        return branch.conditions.contains { element in
            if case .expression(let condition) = element.condition {
                return !Self.isIgnored(condition)
            }
            return element.id == branch.conditions.first?.id
        }
    }

    private func findExit(_ statement: StmtSyntax, _ item: CodeBlockItemSyntax) {
        let returns = statement.as(ReturnStmtSyntax.self)
        let isExit =
            returns != nil || statement.is(ThrowStmtSyntax.self)
            || statement.is(BreakStmtSyntax.self) || statement.is(ContinueStmtSyntax.self)
        guard isExit, !isWholeBranch(item), !isEndOfGuard(item), !isEndOfCase(item) else { return }
        let needsValue = returns?.expression != nil || statement.is(ThrowStmtSyntax.self)
        if needsValue, !isFollowed(item) { return }
        remove(item, .exit, changesFlow: true)
    }

    private func isEndOfGuard(_ item: CodeBlockItemSyntax) -> Bool {
        item.parent?.parent?.parent?.is(GuardStmtSyntax.self) == true
    }

    /// Returns whether a statement is a `break` at the end of a case of a switch.
    private func isEndOfCase(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .stmt(let statement) = item.item, statement.is(BreakStmtSyntax.self),
            let items = item.parent?.as(CodeBlockItemListSyntax.self), items.last?.id == item.id
        else { return false }
        return items.parent?.is(SwitchCaseSyntax.self) == true
    }

    /// Returns whether another statement of the function follows if this one is omitted.
    private func isFollowed(_ item: CodeBlockItemSyntax) -> Bool {
        guard let items = item.parent?.as(CodeBlockItemListSyntax.self) else { return false }
        if let last = items.last, last.id != item.id { return true }
        var node = items.parent
        while let current = node {
            if let outer = current.as(CodeBlockItemSyntax.self) {
                return !isEndOfGuard(outer) && isFollowed(outer)
            }
            if current.is(ClosureExprSyntax.self) || current.is(FunctionDeclSyntax.self)
                || current.is(AccessorDeclSyntax.self) || current.is(AccessorBlockSyntax.self)
                || current.is(InitializerDeclSyntax.self)
            {
                return false
            }
            node = current.parent
        }
        return false
    }

    private func remove(
        _ item: CodeBlockItemSyntax,
        _ kind: Mutation.Kind,
        changesFlow: Bool
    ) {
        add(
            item,
            [Shown(kind, item, "")],
            opening: "if _muKeep(\(MutationSite.number)) { ",
            closing: " }",
            changesFlow: changesFlow
        )
    }
}
