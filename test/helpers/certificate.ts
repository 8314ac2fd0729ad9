import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes an ASN.1 value in DER. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const [high, low] = [body.length >> 8, body.length & 255];
  const length = high > 0 ? [0x82, high, low] : low < 128 ? [low] : [0x81, low];
  return Buffer.concat([bytes(tag, ...length), body]);
}

const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items);
const bytes = (...values: readonly number[]) => Buffer.from(values);
const time = (at: number) => {
  const digits = new Date(at).toISOString().replace(/\D/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
};

const COMMON_NAME = der(0x06, bytes(0x55, 4, 3));
const BASIC_CONSTRAINTS = der(0x06, bytes(0x55, 29, 19));
const ALTERNATIVE_NAME = der(0x06, bytes(0x55, 29, 17));
const ECDSA_WITH_SHA256 = sequence(der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)));
const DAY_MS = 86_400_000;

/** A key, and a certificate of its own making for the loopback address, valid for a day. */
export function selfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('rxscribe test')))));
  const isAuthority = sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, bytes(0xff)))));
  const address = sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x87, bytes(127, 0, 0, 1)))));
  const contents = sequence(
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(1)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, address)),
  );
  const signature = der(0x03, bytes(0), sign('sha256', contents, privateKey));
  const base64 = sequence(contents, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g)!;
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
