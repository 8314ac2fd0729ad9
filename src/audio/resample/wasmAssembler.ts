/**
 * A minimal WebAssembly assembler, for one exported function over one memory. Instructions are lists of bytes, which may be
 * nested.
 *
 * Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */
export type Instruction = number | readonly Instruction[];

const TYPES = { i32: 0x7f, v128: 0x7b } as const;
type ValueType = keyof typeof TYPES;

const NO_RESULT = 0x40;

export const local = {
  get: (index: number): Instruction => [0x20, unsigned(index)],
  set: (index: number): Instruction => [0x21, unsigned(index)],
  tee: (index: number): Instruction => [0x22, unsigned(index)],
};

export const i32 = {
  const: (value: number): Instruction => [0x41, signed(value)],
  ltU: 0x49,
  geU: 0x4f,
  add: 0x6a,
  sub: 0x6b,
} as const;

export const f32 = {
  /** Takes address and value from the stack. */
  store: [0x38, 2, 0],
  add: 0x92,
} as const;

export const f32x4 = {
  /** Loads four floats from an address on the stack plus an offset in bytes, a multiple of 4. */
  load: (offset: number): Instruction => [0xfd, 0x00, 2, unsigned(offset)],
  zero: [0xfd, 0x0c, new Array<number>(16).fill(0)],
  extractLane: (lane: number): Instruction => [0xfd, 0x1f, lane],
  add: [0xfd, 0xe4, 0x01],
  mul: [0xfd, 0xe6, 0x01],
} as const;

/** A block that repeats when `branchIf(0)` in it finds a value other than 0 on the stack. */
export const loop = (...body: Instruction[]): Instruction => [0x03, NO_RESULT, body, 0x0b];
export const branchIf = (depth: number): Instruction => [0x0d, unsigned(depth)];
/** Runs the body when the value on the stack is not 0. */
export const when = (...body: Instruction[]): Instruction => [0x04, NO_RESULT, body, 0x0b];

/** Assembles a module that exports `memory`, of one page at first, and the function `run`, which returns nothing. */
export function assembleModule(
  parameters: readonly ValueType[],
  locals: readonly ValueType[],
  body: Instruction,
): Uint8Array<ArrayBuffer> {
  const bytes = flatten([
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, vector([[0x60, vector(parameters.map(type => TYPES[type])), vector([])]])),
    section(3, vector([0])),
    section(5, vector([[0, 1]])),
    section(
      7,
      vector([
        [name('memory'), 2, 0],
        [name('run'), 0, 0],
      ]),
    ),
    section(10, vector([sized([vector(locals.map(type => [1, TYPES[type]])), body, 0x0b])])),
  ]);
  return Uint8Array.from(bytes);
}

function section(id: number, content: Instruction): Instruction {
  return [id, sized(content)];
}

function sized(content: Instruction): Instruction {
  const bytes = flatten(content);
  return [unsigned(bytes.length), bytes];
}

function vector(items: readonly Instruction[]): Instruction {
  return [unsigned(items.length), items];
}

function name(text: string): Instruction {
  return vector([...Buffer.from(text)]);
}

function flatten(content: Instruction): number[] {
  return typeof content === 'number' ? [content] : content.flatMap(flatten);
}

/** Encodes as unsigned LEB128. */
function unsigned(value: number): Instruction {
  return value < 0x80 ? value : [(value & 0x7f) | 0x80, unsigned(value >>> 7)];
}

/** Encodes as signed LEB128, whose last byte carries the sign in bit 6. */
function signed(value: number): Instruction {
  return value >= -0x40 && value < 0x40 ? value & 0x7f : [(value & 0x7f) | 0x80, signed(value >> 7)];
}
