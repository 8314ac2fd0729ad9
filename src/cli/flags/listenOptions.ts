/** Options of where a server for tests listens. */
import { refuseIf } from '../../base/errors.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { integerFrom } from './optionValues.ts';

export const LISTEN_OPTIONS = optionGroup(
  'Network',
  {
    '--host <address>': { help: 'address to listen on', default: '127.0.0.1' },
    '--port <number>': { help: 'port, 0 for a free one', parse: integerFrom(0, 65_535), default: 0 },
    '--tls-cert <file>': 'certificate for wss, in PEM',
    '--tls-key <file>': 'key of the certificate, in PEM',
  },
  ({ tlsCert, tlsKey }) =>
    refuseIf((tlsCert === undefined) !== (tlsKey === undefined), '--tls-cert and --tls-key belong together.'),
);

export type ListenFlags = FlagsOf<typeof LISTEN_OPTIONS>;
