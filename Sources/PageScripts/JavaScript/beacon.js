// `navigator.sendBeacon`: a beacon is sent so that native code can read it.

const isStream = self.ReadableStream ? isOf(getter(ReadableStream.prototype, 'locked')) : () => false;
/// Beacon §3.1 and Fetch §4.5: what may wait at a time, in bytes.
const largestQueue = 65_536;
let waiting = 0;
const isNavigator = isOf(getter(Navigator.prototype, 'userAgent'));

const textSize = text => arrayLengthOf(encodeUTF8(text));

/// The length of what a beacon carries, in bytes; of a form without what stands between its entries.
const beaconSize = data => {
  if (typeof data === 'string') return textSize(data);
  if (isBlob(data)) return blobSize(data);
  if (isBuffer(data) || isView(data)) return bufferSize(data);
  if (isParameters(data)) return textSize(parametersText(data));
  let size = 0;
  if (isForm(data)) {
    for (let index = 0, entries = snapshot(data); index < entries.length; index += 1) {
      const {name, value} = entries[index];
      size += textSize(name) + (typeof value === 'string' ? textSize(value) : blobSize(value));
    }
  }
  return size;
};

replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
  if (!isOn('beacon') || !isNavigator(receiver) || values.length === 0) return apply(native, receiver, values);
  values[0] = `${values[0]}`;
  if (!isHandled(values[0])) return apply(native, receiver, values);
  const data = argument(values, 1) ?? null;
  if (data !== null && isStream(data)) return apply(native, receiver, values);
  const content = fileContent(data);
  // Beacon §3.1: a type that no form could send needs CORS.
  let isSimple = true;
  if (content && content.blob) {
    const type = blobType(content.blob), end = indexOf(type, ';');
    const essence = end < 0 ? type : slice(type, 0, end);
    isSimple = essence === '' || essence === 'application/x-www-form-urlencoded'
      || essence === 'multipart/form-data' || essence === 'text/plain';
  }
  const mode = isSimple ? 'no-cors' : 'cors';
  const request = construct(Request, [values[0], {
    __proto__: null, method: 'POST', body: data, mode, credentials: 'include', keepalive: true, cache: 'no-cache',
  }]);
  const size = data === null ? 0 : beaconSize(data);
  if (waiting + size > largestQueue) return false;
  waiting += size;
  // No one may learn how it ends.
  (async () => {
    try {
      await send('beacon', request, content ? {__proto__: null, body: data} : undefined);
    } catch {}
    waiting -= size;
  })();
  return true;
});
