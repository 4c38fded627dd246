import Foundation

/// All texts in which an error shows itself.
func shown(_ error: any Error) -> String {
    var dumped = ""
    dump(error, to: &dumped)
    return [error.localizedDescription, String(describing: error), String(reflecting: error), dumped]
        .joined(separator: "\n")
}
