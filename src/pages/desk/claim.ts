import type { DeskConflict } from '../../protocol/desk.ts';

/** The claim of a job by this page. */
export type ClaimState =
  /** The server has confirmed it. */
  | 'held'
  /** The server cannot be reached; the claim lasts until it lapses. */
  | 'unsure'
  /** The access has expired and is requested again. */
  | 'lapsed'
  /** Another person has the job. */
  | 'taken'
  /** The job is finished or has been deleted. */
  | 'ended'
  /** The person is logged out. */
  | 'loggedOut';

/** The outcome of a call that needs the claim. */
export type ClaimEvent = 'confirmed' | 'unreachable' | 'unauthorized' | DeskConflict;

/** Returns the state after an event. An ended job stays ended; a taken one stays taken until a claim is confirmed. */
export function nextClaim(state: ClaimState, event: ClaimEvent): ClaimState {
  if (state === 'ended') return state;
  switch (event) {
    case 'confirmed':
      return 'held';
    case 'ended':
      return 'ended';
    case 'claimed':
      return 'taken';
    case 'lapsed':
      return state === 'taken' ? state : 'lapsed';
    case 'unauthorized':
      return state === 'taken' ? state : 'loggedOut';
    case 'unreachable':
      return state === 'held' ? 'unsure' : state;
    case 'revision':
      return state;
  }
}

/** Milliseconds until the next request for the claim, in the states that need no action of a person. */
export const CLAIM_DELAYS_MS: Readonly<Partial<Record<ClaimState, number>>> = {
  held: 30_000,
  unsure: 5000,
  lapsed: 2000,
};

/** Returns whether text may be changed. True while the server cannot be reached, as typed text is not lost. */
export function mayType(state: ClaimState): boolean {
  return state !== 'taken' && state !== 'ended';
}

export interface KeepClaimOptions {
  /** Asks the server for the claim, and resolves with the outcome; never rejects. */
  readonly ask: () => Promise<ClaimEvent>;
  readonly onState: (state: ClaimState) => void;
}

/** The heart-beat of a claim. */
export type ClaimKeeper = ReturnType<typeof keepClaim>;

/** Renews a held claim, so that it never lapses while the page is open. */
export function keepClaim({ ask, onState }: KeepClaimOptions) {
  let state: ClaimState = 'held';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<ClaimState> | undefined;
  let isClosed = false;

  const wait = () => {
    clearTimeout(timer);
    const delayMs = CLAIM_DELAYS_MS[state];
    if (!isClosed && delayMs !== undefined) timer = setTimeout(askNow, delayMs);
  };
  /** Takes the outcome of another call into account, such as a save. */
  const report = (event: ClaimEvent) => {
    if (isClosed) return;
    const before = state;
    state = nextClaim(state, event);
    if (state !== before) onState(state);
    wait();
  };
  /** Asks for the claim at once. */
  const askNow = (): Promise<ClaimState> => {
    clearTimeout(timer);
    asking ??= ask().then(event => {
      asking = undefined;
      report(event);
      return state;
    });
    return asking;
  };
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
  };
  wait();
  return { report, askNow, close };
}
