import { asLanguage, LANGUAGES, LOCALES, type Language } from '@beltway/contracts/common/languages';

/** Also read by index.html before the first paint, which chooses the language: address, tab, choice, browser. */
const KEY = 'beltway.language';

/** As their speakers call them. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', es: 'Español' };

let spoken: Language = 'en';

/** The page's language. It stays as long as the page does: another one loads it anew. */
export const language = (): Language => spoken;

/** By whose customs dates, numbers and money are written now. */
export const locale = (): string => LOCALES[spoken];

/** What is rendered from now on is in this language. */
export function setLanguage(wanted: Language): void {
  spoken = wanted;
}

/** Makes it the page's language, before anything is shown. */
export function speak(wanted: Language): void {
  setLanguage(wanted);
  document.documentElement.lang = wanted;
}

/** What the script of index.html found wanted. */
export const wantedLanguage = (): Language => asLanguage(document.documentElement.lang) ?? 'en';

/** Remembers what somebody chose; the page is in that language once it is loaded anew. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  sessionStorage.setItem(KEY, chosen);
}

/** A path of ours in a language: `?lang=es`. Undefined: as it is, and whoever follows it reads it in their own. */
export function pathIn(chosen: Language | undefined, path: string): string {
  const url = new URL(path, window.location.origin);
  if (chosen) url.searchParams.set('lang', chosen);
  return url.pathname + url.search + url.hash;
}

/** The others that one may choose. */
export const otherLanguages = (): Language[] => LANGUAGES.filter((one) => one !== spoken);

/** An address that somebody sends on: who opens it reads what the sender reads. English is what it says without more. */
export const sharedPath = (path: string): string => pathIn(spoken === 'en' ? undefined : spoken, path);

/** Makes something once for each language that it is asked for in. */
export function perLanguage<T>(make: () => T): () => T {
  const made: Partial<Record<Language, { value: T }>> = {};
  return () => (made[spoken] ??= { value: make() }).value;
}
