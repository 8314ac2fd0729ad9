import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';

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
  return {
    // The first piece of a word is valid; so are the marks of a text's start and end, which are no words.
    ...onnxGraph(`
      (int32[texts, ${MAX_PIECES}] pieces, int32[texts, ${MAX_PIECES}] valid, int32[texts] lengths)
        => (float[words, 4] capitals, float[words, 4] marks)
      is_start = Equal(pieces, start_piece)
      is_end = Equal(pieces, end_piece)
      is_control = Or(is_start, is_end)
      is_text = Not(is_control)
      is_valid = Cast<to = 9>(valid)
      is_word = And(is_text, is_valid)
      word_rows = NonZero(is_word)
      word_places = Transpose<perm = [1, 0]>(word_rows)
      capitals_of_all = Gather(capitals_table, pieces)
      capitals = GatherND(capitals_of_all, word_places)
      marks_of_all = Gather(marks_table, pieces)
      marks = GatherND(marks_of_all, word_places)
    `),
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
    ...onnxGraph(`
      (int32[1, length] tokens, int32[1] lengths) => (float[1, length, ${punctuations.length}] scores)
      scores = Gather(table, tokens)
    `),
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
