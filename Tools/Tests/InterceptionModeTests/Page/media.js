// Film, sound and captions. The film is PNG in QuickTime and the sound is PCM, for which no codec is needed.
section = 'Film, sound and captions';
const medium = (tag, src) => {
  const made = document.createElement(tag);
  made.muted = true;
  made.preload = 'auto';
  const known = event(made, 'loadedmetadata');
  made.src = src;
  document.body.append(made);
  return known.then(() => made);
};
kind('video', '3 s', async () => `${(await medium('video', '/film.mov')).duration} s`);
kind('video, seek', 'at 2 s, 320x180', async () => {
  const film = await medium('video', '/film.mov?seek');
  const sought = event(film, 'seeked');
  film.currentTime = 2;
  await sought;
  return `at ${film.currentTime} s, ${film.videoWidth}x${film.videoHeight}`;
});
kind('canvas of a video', 'readable 255', async () => {
  const film = await medium('video', '/film.mov?canvas');
  if (film.readyState < 2) await event(film, 'loadeddata');
  const context = document.createElement('canvas').getContext('2d');
  const alpha = () => (context.drawImage(film, 0, 0), context.getImageData(0, 0, 1, 1).data[3]);
  // GStreamer may tell that there is a frame before it hands the frame over.
  await eventually(() => alpha() > 0);
  return `readable ${alpha()}`;
});
kind('audio', '1 s', async () => `${(await medium('audio', '/sound.wav')).duration} s`);
kind('audio that answers 404', 'error', () => medium('audio', '/nothing.wav'));
kind('track', 'a caption', async () => {
  const film = document.createElement('video');
  film.innerHTML = '<track kind="captions" src="/captions.vtt" default>';
  const load = event(film.firstChild, 'load');
  document.body.append(film);
  film.firstChild.track.mode = 'hidden';
  await load;
  return film.firstChild.track.cues[0].text;
});
// WebKit's own network lets the page read the cues, which HTML forbids.
const cues = (src, attributes = {}) => new Promise(resolve => {
  const film = document.createElement('video'), track = document.createElement('track');
  Object.assign(film, attributes);
  Object.assign(track, {kind: 'captions', src, default: true});
  track.onload = () => resolve(track.track.cues[0].text);
  track.onerror = () => resolve('error');
  film.append(track);
  document.body.append(film);
  track.track.mode = 'hidden';
});
kind('track, other origin', 'a caption', () => cues(`${cdn}/captions.vtt?other`));
kind('track, other origin, crossorigin and allowed', 'a caption', () => cues(`${cdn}/captions.vtt?allow=any`, {crossOrigin: 'anonymous'}));
kind('track, other origin, crossorigin and not allowed', 'error', () => cues(`${cdn}/captions.vtt?refused`, {crossOrigin: 'anonymous'}));
kind('track, redirected to another origin', 'a caption', () => cues(`/redirect?to=${encodeURIComponent(`https://example.net/captions.vtt?moved`)}`));
