/** Cuts a text into lines at its spaces; a word that is wider than a line has one of its own. */
export function wrapWords(text: string, width: number, indent = ''): readonly string[] {
  return wrapped(text.split(/\s+/).filter(Boolean), { width, indent, joint: '' });
}

/** A word of a shell: spaces in quotes are a part of it. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/** Cuts a command line into lines, so that it can be pasted as it is. */
export function wrapCommandLine(line: string, width: number): readonly string[] {
  return wrapped(line.match(SHELL_WORD) ?? [], { width, indent: '    ', joint: ' \\' });
}

/**
 * Fits paragraphs to a width. Those are parted by empty lines; a line that begins with a space stays one of its own, and
 * what does not fit goes on below it.
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
  /** Before each line but the first. */
  readonly indent: string;
  /** Behind each line but the last. */
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
