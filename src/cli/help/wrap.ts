/** Wraps a text at its spaces; a word wider than a line has a line of its own. */
export function wrapWords(text: string, width: number, indent = ''): readonly string[] {
  return wrapped(text.split(/\s+/).filter(Boolean), { width, indent, joint: '' });
}

/** A word of a shell, with the spaces that stand in quotes. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/** Wraps a command line with backslashes, so that it can be pasted as it is. */
export function wrapCommandLine(line: string, width: number): readonly string[] {
  return wrapped(line.match(SHELL_WORD) ?? [], { width, indent: '    ', joint: ' \\' });
}

/** A word of a message: a quoted name or command, or a command after "run:", stays whole, so that it can be copied. */
const MESSAGE_WORD = /(?<=\b[Rr]un: )\S.*|(?:(?<!\w)'[^']*'|\S)+/g;

/** Wraps the lines of a message. */
export function wrapMessage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap(line => wrapped(line.match(MESSAGE_WORD) ?? [], { width, indent: '', joint: '' }))
    .join('\n');
}

/**
 * Wraps paragraphs, which are separated by empty lines. A line that begins with a space is not joined with others; its
 * continuation has the same indent.
 */
export function wrapParagraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map(paragraph => paragraph.replace(/\n(?! )/g, ' '))
    .map(paragraph => paragraph.split('\n').flatMap(line => wrapLine(line, width)))
    .map(lines => lines.join('\n'))
    .join('\n\n');
}

function wrapLine(line: string, width: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return wrapWords(line, width - indent.length).map(part => indent + part);
}

interface Wrapping {
  readonly width: number;
  /** Starts each line but the first. */
  readonly indent: string;
  /** Ends each line but the last. */
  readonly joint: string;
}

function wrapped(words: readonly string[], { width, indent, joint }: Wrapping): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    const end = index === words.length - 1 ? 0 : joint.length;
    if (line !== '' && line !== indent + word && longer.length + end > width) {
      lines.push(line + joint);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, line];
}
