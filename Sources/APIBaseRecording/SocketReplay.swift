import APIBaseKit
import APIBaseStubs
import Foundation
import HTTPTransport

extension RecordingStore {
    /// The other end of a recorded socket. What it has received is sent in its order, and waits for what the client had
    /// sent before. Another message of the client fails its socket.
    func answer(with entry: HAR.Entry, to request: ComparableRequest, secretHeaders: Set<String>) -> StubAnswer {
        let subprotocol = entry.response.headers.first { $0.name.lowercased() == "sec-websocket-protocol" }?.value
        return .socket(subprotocol: subprotocol) { [self] socket in
            let (clean, secrets) = HAR(entries: [entry]).entriesWithoutSecrets(rules.redaction)
            let messages = zip(entry.messages ?? [], clean[0].messages ?? [])
            for (number, (message, expected)) in messages.enumerated() {
                guard message.type == .send else {
                    socket.send(message.content)
                    continue
                }
                var found = HAR.WebSocketMessage(try await socket.receive(), isSent: true)
                var redactor = Redactor(rules.redaction, secretHeaders: secretHeaders, removesKnown: false)
                found.edit(with: &redactor)
                guard let difference = ComparableRequest.Field.difference(expected.field, found.field) else { continue }
                let known = [secrets, redactor.secrets].reduce(into: self.secrets) { $0.formUnion($1) }
                throw RecordingError.unexpectedMessage(
                    file,
                    request: known.removed(from: request.description),
                    number: number + 1,
                    known.removed(from: difference)
                )
            }
        }
    }
}

extension HAR.WebSocketMessage {
    /// The message for a comparison: JSON as JSON, and each marker as anything.
    fileprivate var field: ComparableRequest.Field {
        let place = ComparableRequest.Place(name: "message", number: 0)
        guard opcode == 1 else { return ComparableRequest.Field(place: place, value: "Base64 \(data)") }
        return ComparableRequest.Field(place: place, value: data, tree: JSONTree(Data(data.utf8)))
    }
}
