/* For test hosts only: lets webkit_web_context_register_uri_scheme() accept "https" and "http" while it is set, the
   counterpart of replacing +[WKWebView handlesURLScheme:] on Apple platforms.

   WebKitGTK asks WTF::URLParser::isSpecialScheme. A function of that name in the executable takes the place of the
   library's, because the dynamic linker looks there first. */
#pragma once

#include <stdbool.h>

void larder_unlock_special_schemes(bool is_unlocked);
