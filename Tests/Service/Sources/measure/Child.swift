import Foundation

/// This program once more, in a part of its own.
final class Child {
    private let process = Process()
    let port: Int

    /// Starts it, and waits until it listens.
    init(_ part: String, environment: [String: String] = [:]) throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [part]
        process.environment = environment.merging(["PORT": "0", "LOG_LEVEL": "error"]) { $1 }
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = Int(line.filter(\.isNumber)) ?? 0
    }

    deinit { process.terminate() }

    /// The processor time so far, of the program and of the kernel for it.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // Behind the name, which may have spaces in it: the 14th and 15th field of all, in hundredths.
        let fields = text.drop { $0 != ")" }.split(separator: " ").dropFirst()
        return fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
    }

    /// The most memory that it has had, in MB.
    var peakMegabytes: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line.flatMap { Double($0.filter(\.isNumber)) } ?? 0) / 1_024
    }
}
