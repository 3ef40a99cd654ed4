#define _GNU_SOURCE
#include "CSchemeUnlock.h"

#include <dlfcn.h>
#include <stddef.h>

static bool unlocked = false;

void larder_unlock_special_schemes(bool is_unlocked) { unlocked = is_unlocked; }

/* bool WTF::URLParser::isSpecialScheme(WTF::StringView): a string view travels in two registers. */
__attribute__((visibility("default"))) bool _ZN3WTF9URLParser15isSpecialSchemeENS_10StringViewE(const void *characters,
                                                                                              unsigned long length) {
    static bool (*real)(const void *, unsigned long);
    if (unlocked) return false;
    if (!real) {
        real = (bool (*)(const void *, unsigned long))dlsym(RTLD_NEXT,
                                                            "_ZN3WTF9URLParser15isSpecialSchemeENS_10StringViewE");
    }
    return real ? real(characters, length) : false;
}
