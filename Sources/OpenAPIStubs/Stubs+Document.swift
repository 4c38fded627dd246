public import APIBaseStubs
import Foundation
import OpenAPIDocument

extension Stubs {
    /// Creates an empty set of stubs that is held to the document of the API.
    ///
    /// ```swift
    /// let stubs = Stubs(document: try APIDocument(contentsOf: url))
    /// stubs.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#))
    /// ```
    ///
    /// Each call that reaches these stubs, also one that they leave to the network, has to be an operation of the
    /// document with its parameters and its body, and each answer one of its replies. What is not is among the
    /// ``/APIBaseStubs/Stubs/problems``, so that ``/APIBaseStubs/Stubs/run(isolation:_:)`` throws it.
    public convenience init(document: APIDocument, unmatched: Unmatched = .fail, clock: StubClock = .immediate) {
        let inspector = DocumentInspector(document)
        self.init(unmatched: unmatched, clock: clock, inspector: inspector, observer: nil)
    }

    /// The body of the answers to a whole document.
    public enum DocumentAnswers: Sendable, Hashable {
        /// An example of the document that fits its schema, or else a value made from the schema, the same each time.
        case examples
        /// The same with the members of the request's JSON body that the reply has too, where they fit.
        case echo
    }

    /// Answers the calls of all operations of a document, so that a test says only what it is about.
    ///
    /// ```swift
    /// stubs.on(document: document, .echo)
    /// stubs.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#))
    /// ```
    ///
    /// An answer has the first successful status of the operation, and is not compared with the document: a value that
    /// is made of a schema with a rare pattern need not fit it. Other stubs are asked first, wherever they are added.
    /// None of the operations has to be called. A call that is no operation is left to the scopes around, or has no
    /// answer.
    ///
    /// - Returns: The stub, whose answer is set.
    @discardableResult
    public func on(
        document: APIDocument,
        _ answers: DocumentAnswers = .examples,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let contract = document.contract
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let stub = add(at: place) { call in
            let request = document.includes(call) ? SentRequest(call) : nil
            if let request, ContractCall(request, in: contract).operation != nil { return nil }
            return Mismatch("operation", expected: "one of \(contract.name)", found: "none")
        }
        return stub.named(contract.name).optional().last().note(contract).answer { call in
            guard let request = SentRequest(call),
                let reply = ContractCall(request, in: contract).sampleReply(echoes: answers == .echo)
            else { return .status(200) }
            var headers = HTTPHeaders()
            for header in reply.headers { headers.add(name: header.name, value: header.value) }
            return .status(reply.status, headers: headers, data: reply.body)
        }
    }
}

extension Stub {
    /// Lets this stub's calls and answers deviate from the document in these ways, as a server in trouble does:
    ///
    /// ```swift
    /// stubs.on(BookRequest.self).answer(.status(503)).allowing(.undocumentedStatus(503))
    /// ```
    ///
    /// - Returns: The stub.
    @discardableResult
    public func allowing(_ deviations: Deviation...) -> Stub { note(deviations) }
}
