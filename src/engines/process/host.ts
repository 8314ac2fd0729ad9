import type { CallTime } from './callTimes.ts';

/** A child process that does an engine's work, and the messages to and from it. */
export interface WorkHost {
  /** Resolves when the process has ended. */
  readonly ended: Promise<HostEnd>;
  /** Sends a message; one to a host that is gone is lost. */
  send(message: ToHost): void;
  /** Sets the one listener of its messages. */
  listen(listener: (message: FromHost) => void): void;
  /** Sets whether the child keeps this process alive. */
  hold(held: boolean): void;
  /** Kills the process, and resolves when it has ended. Idempotent. */
  kill(): Promise<void>;
}

export interface HostEnd {
  /** Reason for people, such as `its process ended (SIGKILL)`. */
  readonly reason: string;
  /** Last bytes of its log. */
  readonly log: string;
}

/** Message to a host. A channel opens with its first call. */
export type ToHost =
  | { readonly type: 'load'; readonly setup: unknown }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly channel: number;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'close'; readonly channel: number };

/** Message from a host. */
export type FromHost =
  | { readonly type: 'ready' }
  /** The host cannot go on; it ends after this. */
  | ({ readonly type: 'failed' } & WorkFault)
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown; readonly time: CallTime }
  /** A call failed; the host continues. */
  | ({ readonly type: 'refused'; readonly id: number; readonly time: CallTime } & WorkFault)
  | { readonly type: 'event'; readonly channel: number; readonly event: unknown };

export interface WorkFault {
  readonly code: 'engine-missing' | 'engine-failed';
  readonly message: string;
}
