import { STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { publicAddress, serviceAddress } from '../serviceAccess.ts';

/** The base address for jobs of a service, also from that of its stream; without query. */
export function jobsAddress(address: string | URL): string {
  const base = publicAddress(serviceAddress(address, 'http')).replace(/\/$/, '');
  return base.endsWith(STREAM_PATH) ? base.slice(0, -STREAM_PATH.length) : base;
}
