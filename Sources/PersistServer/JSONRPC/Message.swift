import PersistReport

/// What a request and its response have in common.
package enum RequestID: Hashable, Sendable {
  case integer(Int)
  case string(String)

  /// Nil for a value that can't name a request.
  package init?(_ json: JSON?) {
    switch json {
    case .integer(let value): self = .integer(value)
    case .string(let value): self = .string(value)
    default: return nil
    }
  }

  /// The value as it stands in a message.
  package var json: JSON {
    switch self {
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    }
  }
}

/// Why a request wasn't carried out, in the words of JSON-RPC 2.0.
package struct RequestFailure: Error, Sendable {
  package let code: Int
  package let message: String
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The text isn't JSON, or not in the frame that the protocol asks for.
  package static func unreadable(_ reason: String) -> Self {
    Self(code: -32700, message: reason)
  }

  /// The JSON isn't a request, or not one that may come now.
  package static func invalid(_ reason: String) -> Self { Self(code: -32600, message: reason) }

  /// Nobody answers this method.
  package static func unknown(_ method: String) -> Self {
    Self(code: -32601, message: "there is no method '\(method)'")
  }

  /// The parameters make no sense.
  package static func parameters(_ reason: String) -> Self {
    Self(code: -32602, message: reason)
  }
}

/// A message of JSON-RPC 2.0 that was understood.
package enum Message: Sendable {
  case request(RequestID, method: String, parameters: JSON)
  case notification(method: String, parameters: JSON)
  case response(RequestID, Result<JSON, RequestFailure>)
}

/// What a client has sent.
package enum Incoming: Sendable {
  case message(Message)
  /// Several messages whose answers go together.
  case batch([Incoming])
  /// What can't be understood; with the id of the request where that much is clear.
  case malformed(RequestID?, RequestFailure)

  /// Reads the bytes of one frame.
  package init(parsing bytes: some Collection<UInt8>) {
    guard let json = JSON(parsing: bytes) else {
      self = .malformed(nil, .unreadable("this is not JSON"))
      return
    }
    guard case .array(let parts) = json else {
      self = Self.read(json)
      return
    }
    self =
      parts.isEmpty
      ? .malformed(nil, .invalid("an empty batch")) : .batch(parts.map { Self.read($0) })
  }

  private static func read(_ json: JSON) -> Incoming {
    let id = RequestID(json["id"])
    func malformed(_ reason: String) -> Incoming { .malformed(id, .invalid(reason)) }
    guard json["jsonrpc"]?.string == "2.0" else {
      return malformed("`jsonrpc` has to be \"2.0\"")
    }
    if let method = json["method"] {
      guard let method = method.string else { return malformed("`method` has to be a string") }
      let parameters = json["params"] ?? [:]
      switch parameters {
      case .object, .array: break
      default: return malformed("`params` has to be an object or an array")
      }
      if let id { return .message(.request(id, method: method, parameters: parameters)) }
      if json.keys?.contains("id") == true {
        return malformed("`id` has to be a string or a whole number")
      }
      return .message(.notification(method: method, parameters: parameters))
    }
    guard let id else { return malformed("neither a request nor a response") }
    if let error = json["error"] {
      let failure = RequestFailure(
        code: error["code"]?.integer ?? 0, message: error["message"]?.string ?? "",
        data: error["data"])
      return .message(.response(id, .failure(failure)))
    }
    guard json.keys?.contains("result") == true else {
      return malformed("a response needs `result` or `error`")
    }
    return .message(.response(id, .success(json["result"] ?? .null)))
  }
}

/// The messages that a server writes.
package enum Outgoing {
  /// The answer to a request.
  package static func response(_ id: RequestID, _ result: Result<JSON, RequestFailure>) -> JSON {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "id": id.json, "result": value]
    case .failure(let failure): response(id, failure)
    }
  }

  /// The answer to what can't be carried out; without an id where none is known.
  package static func response(_ id: RequestID?, _ failure: RequestFailure) -> JSON {
    var error: JSON = ["code": .integer(failure.code), "message": .string(failure.message)]
    error.add("data", failure.data)
    return ["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error]
  }

  /// A message that wants an answer.
  package static func request(_ id: RequestID, _ method: String, _ parameters: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": parameters]
  }

  /// A message that wants none.
  package static func notification(_ method: String, _ parameters: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": parameters]
  }
}
