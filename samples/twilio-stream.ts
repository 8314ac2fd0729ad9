/**
 * Transcribes phone calls: takes Twilio Media Streams and prints each final with the id of its call.
 *
 * Twilio wants `wss:`, so a proxy with a certificate stands before this server, and TwiML names the secret in the path, since
 * Twilio drops a query: `<Start><Stream url="wss://phone.example/SECRET" track="both_tracks" /></Start>`. A check of the header
 * `X-Twilio-Signature` proves, beyond the secret, that Twilio itself calls.
 */
import { type Observable, ReplaySubject, Subject, takeUntil } from 'rxjs';
import { type AudioBlock, decodePcm, textOf, transcribe } from 'rxscribe';
import { type WebSocket, WebSocketServer } from 'ws';

const { RXSCRIBE_URL: url = 'http://127.0.0.1:8080', PORT = '8070' } = process.env;
const { RXSCRIBE_TOKEN: token, STREAM_SECRET: secret } = process.env;
if (!token || !/^[\w-]{16,}$/.test(secret ?? '')) {
  throw new Error('Set RXSCRIBE_TOKEN, and STREAM_SECRET to at least 16 letters, digits, _ or -.');
}

const FRAMES_PER_MS = 8;
/** Timestamps are those of packets and vary a little; a larger step is lost audio. */
const LARGEST_JITTER = 100 * FRAMES_PER_MS;

/** Opens the stream of one track, until the end of the call; returns a function that takes its audio. */
function openTrack(name: string, end$: Observable<void>, fail: (error: Error, code: number) => void) {
  const audio$ = new Subject<AudioBlock>();
  let nextFrame = 0;
  const live = transcribe({ url, token: token!, language: 'en', sampleFormat: 'MULAW' });
  audio$.pipe(takeUntil(end$), live).subscribe({
    next: event => {
      if (event.type === 'final') console.log(`${name} ${event.ts.toFixed(2)} ${textOf(event.elements)}`);
    },
    error: error => fail(error, 1011),
  });
  return (bytes: Uint8Array, timestampMs: number) => {
    const frame = timestampMs * FRAMES_PER_MS;
    // A block that starts later leaves a hole in the transcript: the times of later words stay right.
    const startFrame = frame - nextFrame > LARGEST_JITTER ? frame : nextFrame;
    const samples = decodePcm(bytes, { sampleFormat: 'MULAW' });
    nextFrame = startFrame + samples.length;
    audio$.next({ startFrame, sampleRate: 8000, channels: 1, samples });
  };
}

function check(isGood: boolean, wanted: string) {
  if (!isGood) throw new Error(`Malformed message: expected ${wanted}.`);
}

function takeCall(socket: WebSocket) {
  let call: string | undefined;
  const tracks = new Map<string, ReturnType<typeof openTrack>>();
  const end$ = new ReplaySubject<void>(1);
  const fail = (error: Error, code: number) => {
    // In quotes, since a message about JSON repeats some of it.
    console.error('%s: closed: %j', call ?? 'a call before its start', error.message);
    end$.next();
    socket.close(code);
  };
  const take = (text: string) => {
    const { event, start, media } = JSON.parse(text) ?? {};
    check(typeof event === 'string', 'an event');
    if (event === 'stop') end$.next();
    if (event === 'start') {
      const { encoding, sampleRate, channels } = start?.mediaFormat ?? {};
      check(call === undefined && /^CA\w{32}$/.test(start?.callSid), 'one start with a callSid');
      check(`${encoding} ${sampleRate} ${channels}` === 'audio/x-mulaw 8000 1', 'mu-law, 8000 Hz, mono');
      call = start.callSid;
    }
    if (event !== 'media') return;
    const { track, timestamp, payload } = media ?? {};
    check(call !== undefined && ['inbound', 'outbound'].includes(track), 'a track, after start');
    check(/^\d{1,8}$/.test(timestamp), 'a timestamp in ms');
    check(typeof payload === 'string' && /^[\w+/]+=*$/.test(payload), 'a payload in base64');
    if (!tracks.has(track)) tracks.set(track, openTrack(`${call} ${track}`, end$, fail));
    tracks.get(track)!(Buffer.from(payload, 'base64'), Number(timestamp));
  };
  // Twilio sends a message every 20 ms; a connection that is lost without a word would stay open for ever.
  const silence = setTimeout(() => socket.terminate(), 60_000);
  // TCP keeps the order of `sequenceNumber`.
  socket.on('message', data => {
    silence.refresh();
    try {
      if (socket.readyState === socket.OPEN) take(String(data));
    } catch (error) {
      fail(error as Error, 1007);
    }
  });
  socket.on('error', error => fail(error, 1009));
  socket.on('close', () => {
    clearTimeout(silence);
    end$.next();
  });
}

// Another path is refused before a connection is made.
const options = { host: '127.0.0.1', port: Number(PORT), path: `/${secret}`, maxPayload: 65_536 };
const server = new WebSocketServer(options);
server.on('connection', takeCall);
server.on('listening', () => console.error('Listening on', server.address()));
