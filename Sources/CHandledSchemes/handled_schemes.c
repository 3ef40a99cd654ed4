#include "CHandledSchemes.h"

#if __APPLE__

#include <objc/message.h>
#include <objc/runtime.h>
#include <stddef.h>
#include <strings.h>

static IMP original = NULL;

static Method handled_schemes(void) {
    Class view = (Class)objc_getClass("WKWebView");
    return view ? class_getClassMethod(view, sel_registerName("handlesURLScheme:")) : NULL;
}

static BOOL handles_url_scheme(id view, SEL command, id scheme) {
    const char *name = ((const char *(*)(id, SEL))objc_msgSend)(scheme, sel_registerName("UTF8String"));
    if (name && (strcasecmp(name, "https") == 0 || strcasecmp(name, "http") == 0)) return 0;
    return ((BOOL(*)(id, SEL, id))original)(view, command, scheme);
}

bool larder_begin_https_handlers(void) {
    Method method = handled_schemes();
    if (!method || original) return false;
    original = method_getImplementation(method);
    method_setImplementation(method, (IMP)handles_url_scheme);
    return true;
}

void larder_end_https_handlers(void) {
    Method method = handled_schemes();
    if (!method || !original) return;
    method_setImplementation(method, original);
    original = NULL;
}

#else

bool larder_begin_https_handlers(void) { return false; }

void larder_end_https_handlers(void) {}

#endif
