/** Returns a word, or a few, without the punctuation around it. */
export const bareWord = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
