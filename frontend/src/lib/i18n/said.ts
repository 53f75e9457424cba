import type { Language } from '@beltway/contracts/common/languages';
import { retry } from '../loading/retry.ts';

let names: Readonly<Record<string, string>> | undefined;

export async function loadNames(language: Language): Promise<void> {
  names =
    language === 'en'
      ? undefined
      : await retry(() => import('./said.es.ts')).then(
          (module) => module.said.sentences,
          () => undefined,
        );
}

export const sayMessage = (name: string): string => names?.[name] ?? name;
