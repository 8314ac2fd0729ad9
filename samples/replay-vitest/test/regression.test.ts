import { lastValueFrom, toArray } from 'rxjs';
import { playSource, readCassette } from 'rxscribe/replay';
import { describe, expect } from 'vitest';
import { captionLines } from '../src/captionLines.ts';
import { RECORDING, replayTest } from './replayTest.ts';

// As recognised, errors included.
const LINES = ['0:00 He was not an ill-sposed young man.'];

describe('a recorded session', () => {
  replayTest('still gives the same captions and the same requests', async ({ play }) => {
    const cassette = await readCassette(RECORDING);
    const server = await play(cassette);
    const { url, token } = server;
    const lines$ = captionLines(playSource(cassette, { server }), { url, token });
    expect(await lastValueFrom(lines$.pipe(toArray()))).toEqual(LINES);
    expect(server).toMatchCassette();
  });

  replayTest('gives the same captions when the connection breaks', async ({ play }) => {
    const cassette = await readCassette(RECORDING);
    const server = await play(cassette, { faults: [[{ kind: 'cut', afterSeconds: 1.5 }]] });
    const { url, token } = server;
    const lines$ = captionLines(playSource(cassette, { server }), { url, token });
    expect(await lastValueFrom(lines$.pipe(toArray()))).toEqual(LINES);
  });

  replayTest('fails with a typed error when the service refuses', async ({ play }) => {
    const cassette = await readCassette(RECORDING);
    const { url, token } = await play(cassette, { faults: [[{ kind: 'http-status', status: 401 }]] });
    const lines$ = captionLines(playSource(cassette), { url, token });
    await expect(lastValueFrom(lines$)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
