import type { PageChoice, PageHello } from '../../captions/outputs/page/pageText.ts';
import { languageName } from '../texts.ts';

/** The captions of the server, for a choice. */
export function Choices({ hello }: { readonly hello: PageHello }) {
  return (
    <nav aria-label="Captions">
      {hello.choices.map(choice => (
        <a
          key={choice.name}
          href={`./${choice.name}${location.search}`}
          lang={choice.language || undefined}
          aria-current={choice.name === hello.name ? 'page' : undefined}
        >
          {textOf(choice)}
        </a>
      ))}
    </nav>
  );
}

/** A menu of the server's captions, if there are several. Its name is the language on the screen. */
export function ChoiceMenu({ hello }: { readonly hello: PageHello }) {
  const shown = hello.choices.find(({ name }) => name === hello.name);
  if (!shown || hello.choices.length < 2) return null;
  return (
    <details>
      <summary lang={shown.language || undefined}>{languageOf(shown) || textOf(shown)}</summary>
      <Choices hello={hello} />
    </details>
  );
}

/** Returns the name of the language of captions, in that language; empty when it is not known. */
const languageOf = ({ language }: PageChoice) => language && languageName(language, language);

/** Returns the title of captions and their language. */
function textOf(choice: PageChoice): string {
  const texts = new Set([choice.title, languageOf(choice)].filter(text => text !== ''));
  return [...texts].join(' · ') || choice.name || 'Captions';
}
