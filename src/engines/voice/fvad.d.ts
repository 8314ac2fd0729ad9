declare module '@echogarden/fvad-wasm' {
  /** Exports of libfvad, the voice detector of WebRTC. Instances and samples are addresses. */
  interface Fvad {
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _fvad_new(): number;
    _fvad_free(instance: number): void;
    _fvad_set_mode(instance: number, mode: number): number;
    _fvad_set_sample_rate(instance: number, rate: number): number;
    /** Returns 1 for speech, 0 for other sound, -1 for a window of an unsupported length. */
    _fvad_process(instance: number, samples: number, frames: number): number;
  }
  export default function load(): Promise<Fvad>;
}
