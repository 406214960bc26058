/// One part of the outline: what it is and the tokens it covers.
package struct Node: Sendable {
  package var kind: Kind
  package var flags: Flags
  /// The index of the first token.
  package var first: UInt32
  /// The index behind the last token.
  package var end: UInt32
  /// The index of the node behind the last descendant.
  package var subtreeEnd: UInt32
  /// The index of the enclosing node; the root is its own parent.
  package var parent: UInt32
  /// The index of the token that names the node, or `Node.noToken`.
  package var name: UInt32
  /// The index of the token that labels an argument or parameter, or `Node.noToken`.
  package var label: UInt32

  /// The value of `name` and `label` when there is no such token.
  package static let noToken = UInt32.max

  /// What a node is; the comment above or behind names its children in their order.
  package enum Kind: UInt8, Sendable {
    case file  // statements and declarations

    // Declarations: attribute*, modifier*, and then
    // type (of an extension), genericParameters?, inheritance?, whereClause?, members
    case classDecl, structDecl, enumDecl, actorDecl, protocolDecl, extensionDecl
    // genericParameters?, parameters, type?, whereClause?, block or accessors or expression
    case functionDecl, initDecl, deinitDecl, subscriptDecl, macroDecl
    case variableDecl  // binding+
    case enumCaseDecl  // enumElement+
    // genericParameters?, inheritance?, type?
    case typealiasDecl, associatedtypeDecl
    case importDecl, operatorDecl, precedenceGroupDecl  // tokens
    case attribute  // argument*
    case modifier
    case genericParameters  // genericParameter*, whereClause?
    case genericParameter  // attribute*, type? (what it conforms to), type? (the default)
    case whereClause  // conformanceRequirement or sameTypeRequirement*
    case conformanceRequirement, sameTypeRequirement  // type, type?
    case inheritance  // type+
    case members  // declarations
    case parameters  // parameter*
    case parameter  // attribute*, modifier*, type?, expression? (the default)
    case type  // one of the parts of types below, or none in broken code
    // boundName or expression (a pattern), type?, expression?, accessors?
    case binding
    case accessors  // accessor+
    case accessor  // attribute*, modifier*, block?
    case enumElement  // parameters?, expression?
    case block  // statements

    // Parts of types
    case namedType  // generic arguments: types
    case memberType  // type, generic arguments: types
    case optionalType, unwrappedType, variadicType, metatype, suppressedType  // type
    case arrayType  // type
    case dictionaryType  // key: type, value: type
    case inlineArrayType  // count: type, element: type
    case tupleType  // typeElement*
    case functionType  // typeElement*, thrown error: type?, result: type
    case typeElement  // type?
    case compositionType  // type+
    case someType, anyType, packExpansionType, packElementType  // type
    case attributedType  // typeAttribute or typeSpecifier+, type
    case typeAttribute, typeSpecifier  // tokens
    case typeValue  // a number as generic argument or count

    // Statements
    case ifStatement  // conditions, block, else: block or ifStatement
    case guardStatement  // conditions, block
    case whileStatement  // conditions, block
    case repeatStatement  // block, expression
    // pattern: boundName or expression, type?, expression, expression? (where), block
    case forStatement
    case switchStatement  // expression, switchCase*
    case switchCase  // caseItem*, statements
    case caseItem  // expression (a pattern), expression? (where)
    case doStatement  // block, catchClause*
    case catchClause  // caseItem*, block
    case deferStatement  // block
    case returnStatement, throwStatement, yieldStatement  // expression?
    case breakStatement, continueStatement, fallthroughStatement
    case optionalBinding  // boundName or expression, type?, expression?
    case caseCondition  // expression (a pattern), type?, expression
    case availability  // tokens

    // Expressions
    // in order: tryMark, awaitMark, chain, binaryOperator, cast
    case expression
    case tryMark, awaitMark
    case binaryOperator  // also `=`, and `?` and `:` of a ternary
    case cast  // type
    case chain  // a primary and then its suffixes
    case name, implicitMember, macro  // generic arguments: types
    case literal, regex, boundName
    case keyPath  // type? (the root), keyPathMember, keyPathArguments or keyPathUnwrapping*
    case keyPathMember  // generic arguments: types
    case keyPathArguments, keyPathUnwrapping  // tokens
    case string  // expression* (the interpolations' arguments)
    case array, tuple  // argument*
    case dictionary  // expression pairs
    case closure  // attribute*, captures?, parameters?, type?, statements
    case captures  // capture*
    case capture  // expression?
    case member  // generic arguments: types
    case call  // argument*, closure*
    case subscriptSuffix  // argument*
    case optionalChain, force, postfixOperator
    case argument  // expression or closure

    case ifConfig  // ifConfigClause+
    case ifConfigClause  // whatever stands in the clause
    case unknown

    // Folded expressions, which stand behind the nodes of the outline; the label is the index of the
    // node that stands for one there
    case trying, awaiting  // what the mark covers
    case operation, assignment  // left, right
    case ternary  // condition, result, other result
    case conversion  // what stands before `as` or `is`
    case operand, missing

    // Patterns, which stand behind the nodes of the outline too; the label is the same
    case wildcardPattern, namePattern
    case bindingPattern  // what `let` or `var` covers
    case tuplePattern  // patternElement*
    case casePattern  // patternElement*
    case patternElement  // a pattern
    case optionalPattern  // what stands before `?`
    case testPattern  // `is` and a type
    case castPattern  // what stands before `as`
    case expressionPattern  // anything that is compared
    case missingPattern

    /// Whether the kind is one of the nodes behind those of the outline.
    @inlinable package var isFolded: Bool {
      unsafeBitCast(self, to: UInt8.self) >= unsafeBitCast(Kind.trying, to: UInt8.self)
    }

    /// Whether the kind is one of patterns or their elements.
    @inlinable package var isPattern: Bool {
      unsafeBitCast(self, to: UInt8.self) >= unsafeBitCast(Kind.wildcardPattern, to: UInt8.self)
    }

    /// Compares the bytes in place, where the generic operator would call for both raw values.
    @inlinable package static func == (left: Kind, right: Kind) -> Bool {
      unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
    }
  }

  /// Properties of a node that its kind does not tell.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A function, accessor, closure or function type that `throws`, or a `do throws`.
    package static let isThrowing = Flags(rawValue: 1)
    /// A function, accessor or closure that is `async`.
    package static let isAsync = Flags(rawValue: 2)
    /// `try?`, `as?`.
    package static let isOptional = Flags(rawValue: 4)
    /// `try!`, `as!`.
    package static let isForced = Flags(rawValue: 8)
    /// `let` in a binding, `default` in a switch case, `rethrows` in a function.
    package static let isLet = Flags(rawValue: 16)
    /// `is` instead of `as` in a cast.
    package static let isTest = Flags(rawValue: 32)
    /// `default:` in a switch.
    package static let isDefault = Flags(rawValue: 64)
    /// The parser skipped what is inside: it is nested too deeply.
    package static let isSkipped = Flags(rawValue: 128)
  }
}

/// The structure of one file: nodes in the order in which they begin, each before its children.
package struct Outline: Sendable {
  package let text: SourceText
  package let tokens: TokenList
  package let nodes: NodeList

  /// Outlines any bytes; never fails.
  package init(_ text: SourceText) {
    self.init(text, tokens: Lexer.lex(text))
  }

  /// Outlines a text whose tokens are known.
  package init(_ text: SourceText, tokens: TokenList) {
    self.text = text
    self.tokens = tokens
    nodes = Parser.parse(text, tokens)
  }

  /// The children of a node in their order.
  package func children(of index: Int) -> Children {
    Children(nodes: nodes, index: index + 1, end: Int(nodes[index].subtreeEnd))
  }

  /// The text of a token.
  package func text(ofToken index: Int) -> String {
    let token = tokens[index]
    return text[Int(token.offset)..<token.end]
  }

  /// The byte range that the tokens of a node cover.
  package func byteRange(of index: Int) -> Range<Int> {
    let node = nodes[index]
    let start = Int(tokens[Int(node.first)].offset)
    guard node.end > node.first else { return start..<start }
    let last = tokens[Int(node.end) - 1]
    let isShared = last.kind.isOperator && last.length > 1
    return start..<max(start, isShared ? OutlineView(self).endOffset(of: index) : last.end)
  }

  /// The indices of a node's children.
  package struct Children: Sequence, IteratorProtocol {
    fileprivate let nodes: NodeList
    fileprivate var index: Int
    fileprivate let end: Int

    package mutating func next() -> Int? {
      guard index < end else { return nil }
      defer { index = Int(nodes[index].subtreeEnd) }
      return index
    }
  }
}
