import PersistIndex
import PersistSyntax

/// An object that code takes from a to-many relationship by its position, though that has no order.
package struct UnorderedRead: Sendable {
  /// The member or index that takes it.
  package let place: Ref
  /// The relationship where it is read.
  package let relationship: Ref
  package let property: PropertyID
  /// The deletion of what was taken.
  package let deletion: Ref?
}

extension Program {
  /// The reads by position of relationships without an order, in source order; those left out where
  /// any object will do, or where the order is that of a list which was just made.
  package var unorderedReads: [UnorderedRead] {
    let lists = UnorderedLists(self)
    return lists.taken.compactMap { place, taken in
      guard matters(taken, at: place) else { return nil }
      return UnorderedRead(
        place: place, relationship: taken.list.place, property: taken.list.property,
        deletion: taken.deletion)
    }.sorted { $0.place < $1.place }
  }

  /// Whether a property is a to-many relationship of a model of SwiftData.
  func isUnorderedRelationship(_ id: PropertyID) -> Bool {
    let property = properties[id]
    guard let owner = property.owner, types[owner].attributes.contains(Frameworks.modelMacro),
      isModel(owner), !property.isStatic, !property.isComputed,
      !property.attributes.contains("Transient"),
      case .array(let element) = type(ofProperty: id).unwrapped, model(in: element) != nil
    else { return false }
    let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
    return !holdsOne(declaration)
  }

  /// Whether a relationship is declared with one object at most.
  private func holdsOne(_ declaration: Ref) -> Bool {
    descendants(declaration, .argument).contains {
      label($0) == "maximumModelCount" && numbers(in: $0) == [1]
    }
  }

  private func matters(_ taken: UnorderedLists.Taken, at place: Ref) -> Bool {
    let body = taken.body
    let name = properties[taken.list.property].name
    guard !isOnlyLookedAt(taken), !isLastResort(place), !leadsBack(place, taken.list.property),
      !isSetAgainstAll(place),
      !(body.kind == .initializer && body.owner == properties[taken.list.property].owner)
    else { return false }
    // What this code puts there is in its order until the objects are read again.
    let readers = [body.place] + [enclosingBody(taken.list.place)].compactMap { $0 }
    return !readers.contains { code in
      fills(name, in: code, before: place) || knowsCount(in: code) || comparesAll(in: code)
    }
  }

  /// Whether code asks no more than whether there is something.
  private func isOnlyLookedAt(_ taken: UnorderedLists.Taken) -> Bool {
    let body = taken.body
    let users = body.steps.filter { body.operands(of: $0).contains(taken.value) }
    return !users.isEmpty
      && users.allSatisfy { user in
        if user.operation == .isNil { return true }
        return user.operation == .binary
          && body.operands(of: user).contains {
            $0 >= 0 && body.steps[Int($0)].operation == .none
          }
      }
  }

  /// Whether a chain stands behind `??`, where any object will do.
  private func isLastResort(_ place: Ref) -> Bool {
    guard let chain = parent(place), kind(chain) == .chain,
      let sign = sibling(before: chain), kind(sign) == .binaryOperator
    else { return false }
    return name(sign) == "??"
  }

  /// Whether what is asked of an element is the object that the relationship belongs to.
  private func leadsBack(_ place: Ref, _ property: PropertyID) -> Bool {
    guard let chain = parent(place), kind(chain) == .chain else { return false }
    let next = children(chain).first { $0 > place && kind($0) == .member }
    guard let next, let asked = self.property(usedBy: next) else { return false }
    return model(in: type(ofProperty: asked)).map { $0 == properties[property].owner } ?? false
  }

  /// Whether code sets a property or adds to it, perhaps before a read in it.
  private func fills(_ property: Name, in code: Ref, before read: Ref) -> Bool {
    descendants(code, .chain).contains { chain in
      let parts = children(chain).filter { [.member, .name, .call].contains(kind($0)) }
      guard let place = parts.lastIndex(where: { name($0) == property && kind($0) != .call }) else {
        return false
      }
      let isFilled =
        place == parts.count - 1
        ? assignment(toChain: chain) != nil
        : Frameworks.addingMethods.contains(name(parts[place + 1]))
      return isFilled
        && (!contains(code, read) || Order(program: self).perhaps([chain], before: read))
    }
  }

  /// Whether code asks for what all elements of a list have in common.
  private func comparesAll(in code: Ref) -> Bool {
    descendants(code, .member).contains { name($0) == Frameworks.comparingAll }
  }

  /// Whether an element is compared with all others of its list.
  private func isSetAgainstAll(_ place: Ref) -> Bool {
    let list = names(before: place)
    return !list.isEmpty
      && ancestors(place).contains { call in
        kind(call) == .call && calledName(call) == Frameworks.comparingAll
          && names(before: call).starts(with: list)
      }
  }

  /// The names with which a chain begins.
  private func names(before part: Ref) -> [Name] {
    guard let chain = parent(part), kind(chain) == .chain else { return [] }
    let names = children(chain).filter { $0 < part && [.name, .member].contains(kind($0)) }
    return names.map { name($0) }
  }

  /// Whether code compares a count with one.
  private func knowsCount(in code: Ref) -> Bool {
    descendants(code, .member).contains { member in
      guard name(member) == "count", let chain = parent(member), let sign = sibling(after: chain),
        kind(sign) == .binaryOperator, let other = sibling(after: sign)
      else { return false }
      return ["==", "<", "<=", "!="].contains(name(sign))
        && numbers(in: other).allSatisfy { $0 < 3 }
        && !numbers(in: other).isEmpty
    }
  }
}
