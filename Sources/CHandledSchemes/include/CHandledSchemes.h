#ifndef LARDER_HANDLED_SCHEMES_H
#define LARDER_HANDLED_SCHEMES_H

#include <stdbool.h>

/// Makes `+[WKWebView handlesURLScheme:]` say no to `http` and `https` until larder_end_https_handlers. On the main thread.
///
/// Returns false, and changes nothing, where there is no such method or this was begun already.
bool larder_begin_https_handlers(void);

/// Gives the method its own code back. On the main thread.
void larder_end_https_handlers(void);

#endif
