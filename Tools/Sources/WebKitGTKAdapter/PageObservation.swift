import WebVisit

/// The document's own performance records.
struct PageObservation: Codable {
    var navigation: NavigationTiming?
    var documentBytes: Int?
    var firstContentfulPaint: Double?
    var largestContentfulPaint: Double?
    var resources: [ResourceTiming]
    /// The script of the service worker that controls the page.
    var serviceWorker: String?

    /// The isolated world of our scripts: the page can neither see nor replace what they use.
    static let world = "larder"

    /// Runs before any script of the page: 250 records, the default of the standard, are too few.
    static let atDocumentStart = "performance.setResourceTimingBufferSize(100000)"

    /// The body of an asynchronous function that returns when the document's load event is over and it was painted
    /// since.
    ///
    /// WebKit tells that a load has finished also where the load event is still to come, and a busy machine paints
    /// later. A view that is not shown paints nothing: two seconds are enough for one that is.
    static let arrival = """
        const rest = time => new Promise(resolve => setTimeout(resolve, time));
        while (!(performance.timing.loadEventEnd > 0)) await rest(50);
        const painted = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        await Promise.race([painted(), rest(2000)]);
        """

    /// The body of an asynchronous function that returns a `PageObservation` as JSON.
    static let question = """
        const whole = number => Number.isFinite(number) ? Math.round(number) : 0;
        const exact = time => Math.round(time * 1000) / 1000;
        const steps = ['redirectEnd', 'fetchStart', 'requestStart', 'responseStart', 'responseEnd', 'domInteractive',
            'domContentLoadedEventEnd', 'loadEventStart', 'loadEventEnd'];
        const pick = (record, names, origin) => Object.fromEntries(
            names.map(name => [name, record[name] > 0 ? exact(record[name] - origin) : 0]));
        const entry = performance.getEntriesByType('navigation')[0], old = performance.timing;
        let navigation = null;
        if (entry) navigation = {...pick(entry, steps, 0), redirectCount: whole(entry.redirectCount)};
        else if (old && old.navigationStart) navigation = {...pick(old, steps, old.navigationStart),
            redirectCount: whole(performance.navigation && performance.navigation.redirectCount)};
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        const latest = type => new Promise(resolve => {
            if (!(PerformanceObserver.supportedEntryTypes || []).includes(type)) return resolve(null);
            const observer = new PerformanceObserver(list => resolve(exact(list.getEntries().at(-1).startTime)));
            observer.observe({type, buffered: true});
            setTimeout(() => resolve(null), 50);
        });
        const times = ['startTime', 'requestStart', 'responseStart', 'responseEnd', 'duration'];
        const resources = performance.getEntriesByType('resource').map(record => ({
            name: record.name, initiatorType: record.initiatorType || '', ...pick(record, times, 0),
            transferSize: whole(record.transferSize), encodedBodySize: whole(record.encodedBodySize),
            decodedBodySize: whole(record.decodedBodySize),
            ...(record.responseStatus > 0 ? {responseStatus: record.responseStatus} : {})}));
        resources.sort((a, b) => a.startTime - b.startTime);
        return JSON.stringify({navigation, documentBytes: entry ? whole(entry.encodedBodySize) : null,
            firstContentfulPaint: paint ? exact(paint.startTime) : null,
            largestContentfulPaint: await latest('largest-contentful-paint'), resources,
            serviceWorker: navigator.serviceWorker?.controller?.scriptURL ?? null});
        """
}
