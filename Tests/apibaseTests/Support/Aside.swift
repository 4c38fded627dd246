import Dispatch

/// Runs blocking code on its own thread, because the tests share few threads.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "aside").async { continuation.resume(with: Result(catching: body)) }
    }
}
