import { type ClaimEvent, type ClaimState, claimDelayMs, nextClaim } from './claim.ts';

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
