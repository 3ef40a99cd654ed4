// `navigator.sendBeacon`: a beacon is sent so that native code can read it.

replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
  if (receiver !== navigator || values.length === 0) return apply(native, receiver, values);
  values[0] = `${values[0]}`;
  if (!isHandled(values[0])) return apply(native, receiver, values);
  const data = values[1] ?? null;
  // Beacon §3.1: a type that no form could send needs CORS.
  let isSimple = true;
  if (data !== null && typeof data === 'object' && isBlob(data)) {
    const type = blobType(data), end = indexOf(type, ';');
    const essence = end < 0 ? type : slice(type, 0, end);
    isSimple = essence === '' || essence === 'application/x-www-form-urlencoded'
      || essence === 'multipart/form-data' || essence === 'text/plain';
  }
  const mode = isSimple ? 'no-cors' : 'cors';
  // No one may learn how it ends.
  (async () => {
    try {
      await send(values[0], {
        __proto__: null, method: 'POST', body: data, mode, credentials: 'include', keepalive: true,
      });
    } catch {}
  })();
  return true;
});
