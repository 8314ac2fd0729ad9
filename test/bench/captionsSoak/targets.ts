import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type CaptionServer,
  type Treatment,
  youtubeServer,
  zoomServer,
} from '../../helpers/captionServers.ts';
import { startLiveVideo } from '../../helpers/liveVideo.ts';
import { openHttpServer } from '../../helpers/loopbackServer.ts';
import { ObsServer } from '../../helpers/obsServer.ts';

const SEGMENT_SECONDS = 4;
const VIDEO_FORMAT = ['-c:v', 'libx264', '-preset', 'ultrafast'];

/** Places where captions go, which can fail. */
export interface Targets extends AsyncDisposable {
  readonly youtube: CaptionServer;
  readonly zoom: CaptionServer;
  readonly obsUrl: string;
  /** Texts that OBS has shown in its source, and captions of its stream. */
  readonly obsTexts: readonly string[];
  readonly obsCaptions: readonly string[];
  /** Directory of the captions of HLS, beside the video. */
  readonly hls: string;
  readonly video: string;
  /** Ends OBS for some time. */
  stopObs(ms: number): Promise<void>;
  /** Lets a server of POSTs treat its requests in another way for some time. */
  treat(name: 'youtube' | 'zoom', treatment: Treatment, ms: number): Promise<void>;
}

export async function openTargets(directory: string, seconds: number): Promise<Targets> {
  const stack = new AsyncDisposableStack();
  const treatments = { youtube: 'fair' as Treatment, zoom: 'fair' as Treatment };
  const open = async (...args: Parameters<typeof openHttpServer>) => stack.use(await openHttpServer(...args));
  const youtube = await youtubeServer({ treat: () => treatments.youtube, open });
  const zoom = await zoomServer({ treat: () => treatments.zoom, open });
  const hls = join(directory, 'hls');
  await mkdir(hls);
  const video = startLiveVideo({
    directory: hls,
    seconds,
    segmentSeconds: SEGMENT_SECONDS,
    format: VIDEO_FORMAT,
  });
  stack.defer(() => void video.kill('SIGKILL'));
  const [texts, captions]: string[][] = [[], []];
  const startObs = async (port?: number) => {
    const server = await ObsServer.start({ port });
    server.addInput('Captions', 'text_ft2_source_v2');
    server.isStreaming = true;
    return server;
  };
  let obs = await startObs();
  const { port, url: obsUrl } = obs;
  const keep = () => {
    texts!.push(...obs.texts.splice(0));
    captions!.push(...obs.captions.splice(0));
  };
  stack.defer(() => obs.stop());
  return {
    youtube,
    zoom,
    obsUrl,
    get obsTexts() {
      keep();
      return texts!;
    },
    get obsCaptions() {
      keep();
      return captions!;
    },
    hls,
    video: join(hls, 'video.m3u8'),
    async stopObs(ms) {
      keep();
      await obs.stop();
      await setTimeout(ms);
      obs = await startObs(port);
    },
    async treat(name, treatment, ms) {
      treatments[name] = treatment;
      await setTimeout(ms);
      treatments[name] = 'fair';
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
