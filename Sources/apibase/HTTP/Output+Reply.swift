import APIBaseKit
import Basics

extension Output {
    /// Writes the body of a reply: as it is into a pipe or a file, and for people on a terminal, where nothing in it is
    /// obeyed. With `isPretty`, JSON is written for people everywhere.
    func show(_ body: Data, isPretty: Bool = false) {
        let json = isPretty || out.terminal != nil ? JSONText(body) : nil
        guard out.terminal != nil || json != nil else { return out.write(body) }
        if body.isEmpty { return }
        if let json {
            line(json.printed(in: out.style))
        } else if let text = String(valid: body), !text.contains("\0") {
            line(text.replacing("\r\n", with: "\n").trimmedEnd.withoutControls)
        } else {
            error("apibase: The body is no text: \(Quantity.bytes(Int64(body.count))). --output FILE saves it.")
        }
    }
}
