/** The thread that tells speakers apart: a long recording takes minutes in which nothing else may wait. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import type { SpeakerTurn } from '../diarizer.ts';
import { createSpeakerWork, type SpeakerWork, type SpeakerWorkOptions } from './speakerWork.ts';

/** What may be asked for a recording or a stream; nothing is asked before `open` is answered, nor after `close`. */
export type SpeakerRequest =
  | ({ readonly type: 'open' } & SpeakerWorkOptions)
  | { readonly type: 'write'; readonly samples: Int16Array<ArrayBuffer> }
  | { readonly type: 'turns' }
  | { readonly type: 'speakerDuring'; readonly startFrame: number; readonly endFrame: number }
  | { readonly type: 'close' };

/** A request for a recording or stream, by the number of the call and that of the work. */
export interface ToSpeakerThread {
  readonly call: number;
  readonly work: number;
  readonly request: SpeakerRequest;
}

export type SpeakerAnswer = readonly SpeakerTurn[] | number | undefined;

export type FromSpeakerThread =
  | { readonly call: number; readonly answer: SpeakerAnswer }
  | { readonly call: number; readonly failure: string };

const works = new Map<number, SpeakerWork>();

async function obey(id: number, request: SpeakerRequest): Promise<SpeakerAnswer> {
  if (request.type === 'open') {
    works.set(id, await createSpeakerWork(request));
    return undefined;
  }
  const work = works.get(id);
  if (!work) throw new Error('nothing is open');
  switch (request.type) {
    case 'write':
      work.write(request.samples);
      return undefined;
    case 'turns':
      return work.turns();
    case 'speakerDuring':
      return work.speakerDuring(request.startFrame, request.endFrame);
    case 'close':
      work[Symbol.dispose]();
      works.delete(id);
      return undefined;
  }
}

parentPort?.on('message', async ({ call, work, request }: ToSpeakerThread) => {
  const say = (message: FromSpeakerThread) => parentPort?.postMessage(message);
  try {
    say({ call, answer: await obey(work, request) });
  } catch (error) {
    say({ call, failure: messageOf(error) });
  }
});
