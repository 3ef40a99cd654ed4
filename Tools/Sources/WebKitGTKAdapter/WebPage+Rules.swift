import CWebKitGTK
import WebVisit

extension WebPage {
    /// Adds lists of content rules, which hold for every load from then on.
    ///
    /// - Parameter lists: JSON text. WebKit compiles each to a file beside the view's data.
    /// - Throws: ``VisitFailure`` with code `unsupported` where WebKit does not take them.
    func addRules(_ lists: [String]) async throws(VisitFailure) {
        let manager = webkit_web_context_get_website_data_manager(context)
        let folder = String(copying: webkit_website_data_manager_get_base_data_directory(manager)) ?? ""
        let store = webkit_user_content_filter_store_new(folder + "/rules")
        defer { g_object_unref(store) }
        for (index, list) in lists.enumerated() {
            let rules = list.withCString { g_bytes_new($0, gsize(list.utf8.count)) }
            defer { g_bytes_unref(rules) }
            let compiled = await Reply<CompiledRules>.first(within: .seconds(30)) { reply in
                webkit_user_content_filter_store_save(
                    store, "larder-\(index)", rules, nil,
                    { store, result, data in
                        var error: UnsafeMutablePointer<GError>?
                        let filter = webkit_user_content_filter_store_save_finish(
                            store?.cast(to: WebKitUserContentFilterStore.self), result, &error)
                        let compiled = CompiledRules(
                            filter: filter, failure: filter == nil ? String(taking: error) : "")
                        Reply<CompiledRules>.take(data) { $0.resolve(compiled) }
                    }, reply.retainedForCallback())
            }
            guard let filter = compiled?.filter else {
                throw VisitFailure(
                    code: .unsupported,
                    message: "WebKit does not take the rules against mixed content: "
                        + (compiled?.failure ?? "it did not answer in time."))
            }
            webkit_user_content_manager_add_filter(content, filter)
            webkit_user_content_filter_unref(filter)
        }
    }
}

/// Rules on their way from the callback to the waiting function, both on the main thread, hence unchecked.
private struct CompiledRules: @unchecked Sendable {
    let filter: OpaquePointer?
    let failure: String
}
