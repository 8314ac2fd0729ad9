import { createCipheriv, createDecipheriv } from 'node:crypto';
import { RxscribeError } from '../../base/errors.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;

/** Bytes by which sealing makes something longer. */
export const TAG_BYTES = 16;

/** Seals with one key that nobody else has. It counts what it seals: no nonce is ever used twice. */
export class Seal {
  readonly #key: Uint8Array;
  #count = 0;

  /** A key of 32 bytes, which must not have sealed anything yet if this is to seal. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** How many things were sealed. What is sealed next has this number, which opening it takes. */
  get count(): number {
    return this.#count;
  }

  /** Encrypts, and makes it known to whoever opens it if the result or what is said about it was changed. */
  seal(bytes: Uint8Array, about: Uint8Array = new Uint8Array()): Buffer {
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce(this.#count++)).setAAD(about);
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws RxscribeError `store` when it was sealed with another key, or is not as it was */
  open(sealed: Uint8Array, number: number, about: Uint8Array = new Uint8Array()): Buffer {
    const end = sealed.length - TAG_BYTES;
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, nonce(number)).setAAD(about);
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch (cause) {
      throw new RxscribeError('store', 'open sealed audio: it was changed, or the key is another one', {
        cause,
      });
    }
  }
}

function nonce(number: number): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeUIntBE(number, NONCE_BYTES - 6, 6);
  return bytes;
}
