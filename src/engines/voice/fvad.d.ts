declare module '@echogarden/fvad-wasm' {
  /** What libfvad, the voice detector of WebRTC, exports; instances and samples are addresses. */
  interface Fvad {
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _fvad_new(): number;
    _fvad_free(instance: number): void;
    _fvad_reset(instance: number): void;
    _fvad_set_mode(instance: number, mode: number): number;
    _fvad_set_sample_rate(instance: number, rate: number): number;
    /** 1 for speech, 0 for none, -1 for a window of a length that it does not take. */
    _fvad_process(instance: number, samples: number, frames: number): number;
  }
  export default function load(): Promise<Fvad>;
}
