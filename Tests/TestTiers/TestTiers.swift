package import Testing
import Foundation

/// Whether the second tier of tests runs too: what needs a browser, a compiler, many processes, much memory, or seconds of
/// real time.
package let runsAllTests = ProcessInfo.processInfo.environment["APIBASE_ALL_TESTS"] == "1"

/// Whether this process runs with the thread sanitizer or the address sanitizer. Both make everything slow, and keep memory.
package let isSanitized: Bool = {
    // A handle for all loaded libraries, because systems disagree about the meaning of nil.
    let loaded = dlopen(nil, RTLD_NOW)
    return dlsym(loaded, "__tsan_init") != nil || dlsym(loaded, "__asan_init") != nil
}()

/// How often a test repeats something, or how many it uses at once: all in the second tier, a tenth in the first and under
/// a sanitizer.
package func load(_ count: Int) -> Int { runsAllTests && !isSanitized ? count : max(1, count / 10) }

extension Trait where Self == ConditionTrait {
    /// A test of the second tier.
    package static var heavy: Self {
        .enabled(if: runsAllTests, "It belongs to the second tier, which runs with APIBASE_ALL_TESTS=1.")
    }
}

extension Trait where Self == TimeLimitTrait {
    /// The time after which a test hangs: two minutes, and five in the second tier, whose tests keep all processors busy.
    package static var limited: Self { .timeLimit(.minutes(runsAllTests ? 5 : 2)) }
}

extension Tag {
    /// A suite that is about what several threads do at once. `.ci/run` repeats it under the thread sanitizer; it looks for
    /// `@Suite(.tags(.concurrent)`, so this comes first.
    @Tag package static var concurrent: Self
}
