import { pagesAt } from '../../../web/pageFiles.ts';

/** The pages of the audience and of the operator. The same place from `src` and from `dist`. */
export const captionPages = pagesAt(URL.parse('../../../../dist/pages/', import.meta.url));
