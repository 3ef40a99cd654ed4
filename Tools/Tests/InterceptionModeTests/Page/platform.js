// Long connections, storage, and what depends on the page's origin.
section = 'Long connections, storage, origin';
kind('EventSource', 'one, two', () => new Promise((resolve, reject) => {
  const seen = [];
  const source = new EventSource(`/events?id=${unique()}`);
  source.onmessage = ({data}) => {
    seen.push(data);
    if (seen.length < 2) return;
    source.close();
    resolve(seen.join(', '));
  };
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) reject(new DOMException('', 'error')); };
}));
kind('EventSource, connected again', 'one, two, after 2', () => new Promise((resolve, reject) => {
  const seen = [];
  const source = new EventSource(`/events?id=${unique()}`);
  source.onmessage = ({data}) => {
    seen.push(data);
    if (seen.length < 3) return;
    source.close();
    resolve(seen.join(', '));
  };
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) reject(new DOMException('', 'error')); };
}));
kind('EventSource of another origin, connected again', 'one, two, after 2', () => new Promise((resolve, reject) => {
  const seen = [];
  const source = new EventSource(`${cdn}/events?allow=any&id=${unique()}`);
  source.onmessage = ({data}) => {
    seen.push(data);
    if (seen.length < 3) return;
    source.close();
    resolve(seen.join(', '));
  };
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) reject(new DOMException('', 'error')); };
}));
kind('WebSocket', 'hello', () => new Promise((resolve, reject) => {
  const socket = new WebSocket('wss://example.com/socket');
  socket.onopen = () => socket.send('hello');
  socket.onmessage = ({data}) => { socket.close(); resolve(data); };
  socket.onerror = () => reject(new DOMException('', 'error'));
}));
kind('WebSocket, at a relative address and at the page\'s own', 'wss://example.com/socket wss://example.com/socket',
  () => ['/socket', new URL('/socket', location.href)].map(url => {
    const socket = new WebSocket(url);
    socket.close();
    return socket.url;
  }).join(' '));
kind('secure context', 'true', () => String(isSecureContext));
kind('crypto.subtle', '32', async () => String((await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength));
kind('localStorage', '1', () => { localStorage.setItem('a', '1'); return localStorage.getItem('a'); });
kind('sessionStorage', '1', () => { sessionStorage.setItem('a', '1'); return sessionStorage.getItem('a'); });
kind('IndexedDB', 'kept', async () => {
  const opening = indexedDB.open('kinds');
  opening.onupgradeneeded = () => opening.result.createObjectStore('values');
  await event(opening, 'success');
  const writing = opening.result.transaction('values', 'readwrite');
  writing.objectStore('values').put('kept', 'key');
  await event(writing, 'complete');
  const reading = opening.result.transaction('values').objectStore('values').get('key');
  await event(reading, 'success');
  return reading.result;
});
kind('CacheStorage', 'some text', async () => {
  const cache = await caches.open('kinds');
  await cache.add('/text?stored');
  return (await cache.match('/text?stored')).text();
});
kind('history.pushState', 'https://example.com/pushed, https://example.com/matrix.html', async () => {
  history.pushState(1, '', '/pushed');
  const there = location.href;
  const popped = event(window, 'popstate');
  history.back();
  await popped;
  return `${there}, ${location.href}`;
});
kind('origin', 'https://example.com', () => origin);
kind('PerformanceResourceTiming', 'fetch 9', async () => {
  await text('/text?timed');
  const [entry] = performance.getEntriesByName(`${site}/text?timed`);
  return entry ? `${entry.initiatorType} ${entry.decodedBodySize}` : 'no entry';
});
