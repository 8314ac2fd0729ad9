/** Name under which the worklet registers its processor. */
export const CAPTURE_PROCESSOR = 'rxscribe-capture';

/**
 * The code of the audio worklet, which passes on eight render quanta at a time. A page whose policy has no `blob:` serves it
 * as a file of its own, and gives its address as `workletUrl`.
 */
export const CAPTURE_WORKLET = `registerProcessor('${CAPTURE_PROCESSOR}', class extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.channels = processorOptions.channels;
    this.port.onmessage = () => (this.isOver = true);
  }
  process([input]) {
    if (input.length === 0) {
      this.samples = undefined;
      return !this.isOver;
    }
    const frames = input[0].length;
    if (!this.samples) {
      this.samples = new Float32Array(8 * frames * this.channels);
      this.startFrame = currentFrame;
      this.at = 0;
    }
    for (let frame = 0; frame < frames; frame++) {
      for (let channel = 0; channel < this.channels; channel++) {
        this.samples[this.at++] = (input[channel] ?? input[0])[frame];
      }
    }
    if (this.at === this.samples.length) {
      const { samples, startFrame } = this;
      this.samples = undefined;
      this.port.postMessage({ samples, startFrame }, [samples.buffer]);
    }
    return !this.isOver;
  }
});
`;
