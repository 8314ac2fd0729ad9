import type { DeskConflict } from '../../protocol/desk.ts';

/** The claim of a job by this page. */
export type ClaimState =
  /** The server has confirmed it. */
  | { readonly kind: 'held' }
  /** The server cannot be reached; the claim lasts until it lapses. */
  | { readonly kind: 'unsure' }
  /** It has lapsed, and is asked for again. */
  | { readonly kind: 'lapsed' }
  /** Another person has the job. */
  | { readonly kind: 'taken' }
  /** The job is finished or has been deleted. */
  | { readonly kind: 'ended' }
  /** The person is logged out. */
  | { readonly kind: 'loggedOut' };

/** The outcome of a call that needs the claim. */
export type ClaimEvent =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'refused'; readonly conflict: DeskConflict | undefined };

/** Returns the state after an event. An ended job stays ended; a taken one stays taken until a claim is confirmed. */
export function nextClaim(state: ClaimState, event: ClaimEvent): ClaimState {
  if (state.kind === 'ended') return state;
  switch (event.kind) {
    case 'confirmed':
      return { kind: 'held' };
    case 'unauthorized':
      return state.kind === 'taken' ? state : { kind: 'loggedOut' };
    case 'unreachable':
      return state.kind === 'held' ? { kind: 'unsure' } : state;
    case 'refused':
      return afterRefusal(state, event.conflict);
  }
}

function afterRefusal(state: ClaimState, conflict: DeskConflict | undefined): ClaimState {
  if (conflict === 'ended') return { kind: 'ended' };
  if (conflict === 'claimed') return { kind: 'taken' };
  if (conflict === 'lapsed') return state.kind === 'taken' ? state : { kind: 'lapsed' };
  return state;
}

/** Milliseconds until the claim is asked for again; undefined where only the person can go on. */
export function claimDelayMs({ kind }: ClaimState): number | undefined {
  switch (kind) {
    case 'held':
      return 30_000;
    case 'unsure':
      return 5000;
    case 'lapsed':
      return 2000;
    default:
      return undefined;
  }
}

/** Returns whether text may be changed: also while the server cannot be reached, as nothing typed is lost. */
export function mayType({ kind }: ClaimState): boolean {
  return kind !== 'taken' && kind !== 'ended';
}

export interface KeepClaimOptions {
  /** Asks the server for the claim, and resolves with the outcome; never rejects. */
  readonly ask: () => Promise<ClaimEvent>;
  readonly onState: (state: ClaimState) => void;
}

/** The heart-beat of a claim. */
export interface ClaimKeeper {
  readonly state: ClaimState;
  /** Takes the outcome of another call into account, such as one that saves. */
  report(event: ClaimEvent): void;
  /** Asks for the claim at once. */
  askNow(): Promise<ClaimState>;
  close(): void;
}

/** Asks for a held claim again and again, so that it never lapses while the page is open. */
export function keepClaim({ ask, onState }: KeepClaimOptions): ClaimKeeper {
  let state: ClaimState = { kind: 'held' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<ClaimState> | undefined;
  let isClosed = false;

  const wait = () => {
    clearTimeout(timer);
    const delayMs = claimDelayMs(state);
    if (!isClosed && delayMs !== undefined) timer = setTimeout(askNow, delayMs);
  };
  const report = (event: ClaimEvent) => {
    if (isClosed) return;
    const { kind } = state;
    state = nextClaim(state, event);
    if (state.kind !== kind) onState(state);
    wait();
  };
  const askNow = (): Promise<ClaimState> => {
    clearTimeout(timer);
    asking ??= ask().then(event => {
      asking = undefined;
      report(event);
      return state;
    });
    return asking;
  };
  wait();
  return {
    get state() {
      return state;
    },
    report,
    askNow,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
