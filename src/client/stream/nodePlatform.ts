import { createReplayStore } from '../spool/createReplayStore.ts';
import { openSpool } from '../spool/openSpool.ts';
import type { StreamSettings } from './settings.ts';
import { openSocket } from './socket.ts';

/** Parts of a stream that need Node; a browser has others. */
export const nodePlatform = { openSocket, createReplayStore, openSpool };

/** Settings of a stream, with the platform that it runs on. */
export type RunSettings = StreamSettings & { readonly platform: typeof nodePlatform };
