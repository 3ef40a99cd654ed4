/* What Swift cannot reach by itself: variadic constructors, cast macros, and two entry points of libdispatch. */
#pragma once

#include <glib-unix.h>
#include <webkit2/webkit2.h>

/* libdispatch exports these for run loops that drain its main queue, such as Core Foundation's; no header has them. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

static inline WebKitWebsiteDataManager *larder_website_data_manager_new(const char *dataDirectory,
                                                                         const char *cacheDirectory) {
    return webkit_website_data_manager_new("base-data-directory", dataDirectory, "base-cache-directory", cacheDirectory,
                                           NULL);
}

static inline WebKitWebContext *larder_web_context_new(const char *dataDirectory, const char *cacheDirectory) {
    WebKitWebsiteDataManager *manager = larder_website_data_manager_new(dataDirectory, cacheDirectory);
    WebKitWebContext *context = webkit_web_context_new_with_website_data_manager(manager);
    g_object_unref(manager);
    return context;
}

static inline WebKitWebView *larder_web_view_new(WebKitWebContext *context, WebKitUserContentManager *content) {
    WebKitWebsitePolicies *policies =
        webkit_website_policies_new_with_policies("autoplay", WEBKIT_AUTOPLAY_ALLOW, NULL);
    gpointer view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "user-content-manager", content,
                                 "website-policies", policies, NULL);
    g_object_unref(policies);
    return WEBKIT_WEB_VIEW(view);
}

/* Without a window that is shown, WebKit paints nothing: no first paint, an empty snapshot. */
static inline void larder_show_in_window(WebKitWebView *view, int width, int height) {
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    gtk_widget_set_size_request(GTK_WIDGET(view), width, height);
    gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(view));
    gtk_widget_show_all(window);
}
