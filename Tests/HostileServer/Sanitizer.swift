import Foundation

/// Whether the thread sanitizer or the address sanitizer watches this process.
package let isSanitized: Bool = {
    // All that is loaded, on every system: what a handle of nil means is not the same on all.
    let loaded = dlopen(nil, RTLD_NOW)
    return dlsym(loaded, "__tsan_init") != nil || dlsym(loaded, "__asan_init") != nil
}()
