import { formatStreamQuery, pickStreamOptions, type StreamOptions } from '../../protocol/streamQuery.ts';

/** Checks the query of a stream before a service is started for it. @throws StreamQueryError */
export function checkStreamQuery(flags: StreamOptions): void {
  formatStreamQuery({ ...pickStreamOptions(flags), contentType: { kind: 'any' } });
}
