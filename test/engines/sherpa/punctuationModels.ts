import type { OnnxModel } from '../../helpers/onnxModel.ts';

/** Writing of a word in any context: 0 as it is, 1 in capitals, 2 with a capital. */
export interface WordHabit {
  readonly word: string;
  readonly capitals?: 0 | 1 | 2;
  readonly mark?: '' | ',' | '.' | '?';
}

/** Special tokens of the encoder of word pieces. */
const CONTROL_PIECES = ['<unk>', '<s>', '</s>'];
const MAX_PIECES = 200;

/** An online model of punctuation and capitals: it looks each word up. */
export function onlinePunctuationModel(habits: readonly WordHabit[]): OnnxModel {
  const rows = habits.length + CONTROL_PIECES.length;
  const table = (name: string, indexOf: (habit: WordHabit) => number) => {
    const values = new Array<number>(rows * 4).fill(0);
    for (let row = 0; row < CONTROL_PIECES.length; row++) values[row * 4] = 1;
    for (const [index, habit] of habits.entries()) {
      values[(index + CONTROL_PIECES.length) * 4 + indexOf(habit)] = 1;
    }
    return { name, type: 'float', shape: [rows, 4], values } as const;
  };
  const scored = (name: string) =>
    [
      { op: 'Gather', inputs: [`${name}_table`, 'pieces'], outputs: [`${name}_of_all`] },
      { op: 'GatherND', inputs: [`${name}_of_all`, 'word_places'], outputs: [name] },
    ] as const;
  return {
    inputs: [
      { name: 'pieces', type: 'int32', shape: ['texts', MAX_PIECES] },
      { name: 'valid', type: 'int32', shape: ['texts', MAX_PIECES] },
      { name: 'lengths', type: 'int32', shape: ['texts'] },
    ],
    outputs: ['capitals', 'marks'].map(name => ({ name, type: 'float', shape: ['words', 4] })),
    nodes: [
      // The first piece of a word is valid; so are the marks of a text's start and end, which are no words.
      { op: 'Equal', inputs: ['pieces', 'start_piece'], outputs: ['is_start'] },
      { op: 'Equal', inputs: ['pieces', 'end_piece'], outputs: ['is_end'] },
      { op: 'Or', inputs: ['is_start', 'is_end'], outputs: ['is_control'] },
      { op: 'Not', inputs: ['is_control'], outputs: ['is_text'] },
      { op: 'Cast', inputs: ['valid'], outputs: ['is_valid'], attributes: { to: 9 } },
      { op: 'And', inputs: ['is_text', 'is_valid'], outputs: ['is_word'] },
      { op: 'NonZero', inputs: ['is_word'], outputs: ['word_rows'] },
      { op: 'Transpose', inputs: ['word_rows'], outputs: ['word_places'], attributes: { perm: [1, 0] } },
      ...scored('capitals'),
      ...scored('marks'),
    ],
    weights: [
      table('capitals_table', ({ capitals = 0 }) => capitals),
      table('marks_table', ({ mark = '' }) => ['', ',', '.', '?'].indexOf(mark)),
      { name: 'start_piece', type: 'int32', shape: [], values: [1] },
      { name: 'end_piece', type: 'int32', shape: [], values: [2] },
    ],
    metadata: { COMMA: 1, PERIOD: 2, QUESTION: 3, UPPER: 1, CAP: 2, MIX_CASE: 3 },
  };
}

/** Each word as one piece. */
export function bpeVocabulary(habits: readonly WordHabit[]): string {
  const pieces = [...CONTROL_PIECES, ...habits.map(({ word }) => `▁${word}`)];
  return pieces.map((piece, index) => `${piece}\t${index < CONTROL_PIECES.length ? 0 : -index}\n`).join('');
}

/** A CT-transformer in nothing but name: it looks each token up. */
export function ctTransformerModel(habits: readonly WordHabit[]): OnnxModel {
  const marks = { none: '_', ',': '，', '.': '。', '?': '？', pause: '、' };
  const punctuations = ['<unk>', ...Object.values(marks)];
  const tokens = [...habits.map(({ word }) => word), '<unk>'];
  const values = new Array<number>(tokens.length * punctuations.length).fill(0);
  for (const row of tokens.keys()) {
    const { mark } = habits[row] ?? {};
    values[row * punctuations.length + punctuations.indexOf(marks[mark || 'none'])] = 1;
  }
  return {
    inputs: [
      { name: 'tokens', type: 'int32', shape: [1, 'length'] },
      { name: 'lengths', type: 'int32', shape: [1] },
    ],
    outputs: [{ name: 'scores', type: 'float', shape: [1, 'length', punctuations.length] }],
    nodes: [{ op: 'Gather', inputs: ['table', 'tokens'], outputs: ['scores'] }],
    weights: [{ name: 'table', type: 'float', shape: [tokens.length, punctuations.length], values }],
    metadata: {
      model_type: 'ct_transformer',
      tokens: tokens.join('|'),
      vocab_size: tokens.length,
      punctuations: punctuations.join('|'),
      unk_symbol: '<unk>',
    },
  };
}
