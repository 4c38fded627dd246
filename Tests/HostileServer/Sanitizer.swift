import Foundation

/// Whether this process runs with the thread sanitizer or the address sanitizer.
package let isSanitized: Bool = {
    // A handle for all loaded libraries, because systems disagree about the meaning of nil.
    let loaded = dlopen(nil, RTLD_NOW)
    return dlsym(loaded, "__tsan_init") != nil || dlsym(loaded, "__asan_init") != nil
}()
