import type { Area } from './area.ts';
import type { ResultKind } from './resultKind.ts';

/** What a route does, for the reference: a route carries it as its configuration. */
export type Operation =
  | { readonly action: 'submit' | 'list' | 'get' | 'delete'; readonly area: Area }
  | { readonly action: 'result'; readonly area: Area; readonly kind: ResultKind }
  | { readonly action: 'account' | 'live' | 'ready' | 'stream' }
  /** It is no part of the interface. */
  | { readonly action: 'hidden' };

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}
