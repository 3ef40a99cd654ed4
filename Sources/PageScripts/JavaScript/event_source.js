// `EventSource`: that it is one, and whether it sends cookies to other origins, is said behind the URL, as a page can set no
// fields of it. At https the web view says the first by itself.

const hashOf = getter(URL.prototype, 'hash');
const sourceURLs = new WeakMap();

replaceConstructor(self, 'EventSource', (native, values, target) => {
  const options = argument(values, 1);
  if (!isOn('eventSource') || values.length === 0 || (options ?? null) !== null && typeof options !== 'object') {
    return construct(native, values, target);
  }
  // Converted once, and in the native's order.
  const url = `${values[0]}`, withCredentials = !!options?.withCredentials, handled = handledURL(url);
  const converted = {__proto__: null, withCredentials};
  if (!handled || !withCredentials && indexOf(handled, 'app-cache-https:') !== 0) return construct(native, [url, converted], target);
  const plain = slice(handled, 0, handled.length - hashOf(new URL(handled)).length);
  const source = construct(native, [`${plain}#${sourceMark};by=eventSource${withCredentials ? ';credentials=include' : ''}`, converted], target);
  weakSet(sourceURLs, source, handled);
  return source;
});
if (self.EventSource) {
  replaceAccessor(EventSource.prototype, 'url', (native, receiver, values) => {
    const url = apply(native, receiver, values);
    const ours = weakGet(sourceURLs, receiver);
    // One of another realm.
    const place = ours === undefined && typeof url === 'string' ? indexOf(url, `#${sourceMark};`) : -1;
    return ours ?? (place < 0 ? url : slice(url, 0, place));
  });
}
