import type { Problem } from '@beltway/contracts/common/basics';
import type { Language } from '@beltway/contracts/common/languages';
import { retry } from '../loading/retry.ts';

/** What the server and the contracts' schemas say in English, in the page's language. */
interface SaidByServer {
  /** Its sentences, as they stand in the sources. */
  sentences: Readonly<Record<string, string>>;
  /** What sentences with a name at their end begin with. */
  openings: Readonly<Record<string, string>>;
  /** By the code of a problem, for sentences that have names or numbers in them. */
  codes: Readonly<Record<string, string>>;
}

let said: SaidByServer | undefined;

/** Loads what is needed to say the server's sentences in another language. Without it they are in English. */
export async function hearServer(language: Language): Promise<void> {
  said =
    language === 'en'
      ? undefined
      : await retry(() => import('./said.es.ts')).then(
          (module) => module.said,
          () => undefined,
        );
}

/** A sentence of the server, or of a schema; as it is where it is not known. */
export function sayMessage(message: string): string {
  const sentence = said?.sentences[message];
  if (!said || sentence !== undefined) return sentence ?? message;
  const opening = Object.keys(said.openings).find((words) => message.startsWith(words));
  return opening === undefined ? message : said.openings[opening]! + message.slice(opening.length);
}

/** A problem in the page's language, where it is known in it. */
export function sayKnown({ code, detail }: Problem): string | undefined {
  if (!said) return detail;
  return (detail === undefined ? undefined : said.sentences[detail]) ?? said.codes[code];
}

/** A problem: by its sentence, else by its code, else as the server says it. */
export function sayProblem({ code, detail, title }: Problem): string {
  const sentence = detail ?? title;
  return said?.sentences[sentence] ?? said?.codes[code] ?? sentence;
}
