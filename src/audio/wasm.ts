import { RxscribeError } from '../base/errors.ts';

/** The parts of WebAssembly in use; the types of Node.js do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** An instance of a module with one function, whose parameters are addresses and sizes in bytes. */
export interface WasmKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  run(...parameters: number[]): void;
}

/** Bytes of a page of the memory of a module. */
export const WASM_PAGE_BYTES = 65_536;

/**
 * Returns a function that makes instances of a module, given as base64. It is compiled at the first call.
 *
 * The function throws RxscribeError `unavailable` where WebAssembly cannot be compiled, as by the policy of a page.
 */
export function wasmKernel(base64: string): () => WasmKernel {
  let compiled: object | undefined;
  return () => {
    compiled ??= compile(base64);
    return new WebAssembly.Instance(compiled).exports as WasmKernel;
  };
}

function compile(base64: string): object {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    const message = 'Cannot convert audio: WebAssembly cannot be compiled.';
    const advice = "In a page, add 'wasm-unsafe-eval' to script-src of its Content-Security-Policy.";
    throw new RxscribeError('unavailable', `${message} ${advice}`, { cause });
  }
}
