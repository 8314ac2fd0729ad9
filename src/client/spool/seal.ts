import { createCipheriv, createDecipheriv } from 'node:crypto';
import { RxscribeError } from '../../base/errors.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;

/** Bytes that sealing adds. */
export const TAG_BYTES = 16;

/** A seal with a key of its own. It counts the data it seals, so that no nonce is ever used twice. */
export class Seal {
  readonly #key: Uint8Array;
  #count = 0;

  /** @param key 32 bytes; to seal with it, it must not have sealed anything before */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Number of sealed data so far. The next data gets this number, which `open` needs. */
  get count(): number {
    return this.#count;
  }

  /** Encrypts bytes; opening fails when the result or the data about it was changed. */
  seal(bytes: Uint8Array, about: Uint8Array = new Uint8Array()): Buffer {
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce(this.#count++)).setAAD(about);
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts bytes.
   *
   * @throws RxscribeError `store` when they were sealed with another key, or were changed
   */
  open(sealed: Uint8Array, number: number, about: Uint8Array = new Uint8Array()): Buffer {
    const end = sealed.length - TAG_BYTES;
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, nonce(number)).setAAD(about);
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch (cause) {
      throw new RxscribeError(
        'store',
        'Cannot open sealed data: it was changed, or sealed with another key.',
        {
          cause,
        },
      );
    }
  }
}

function nonce(number: number): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeUIntBE(number, NONCE_BYTES - 6, 6);
  return bytes;
}
