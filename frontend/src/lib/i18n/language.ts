import { asLanguage, LANGUAGES, LOCALES, type Language } from '@beltway/contracts/common/languages';

/**
 * Also read by index.html, which chooses the language before the first paint: from the URL, else the tab's storage,
 * else the visitor's choice, else the browser's languages.
 */
const KEY = 'beltway.language';

/** Each language's name in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', es: 'Español' };

let spoken: Language = 'en';

/** The page's language. It is fixed per page load: choosing another one reloads the page. */
export const language = (): Language => spoken;

/** The locale for dates, numbers and money. */
export const locale = (): string => LOCALES[spoken];

/** Sets the language of later renders. */
export function setLanguage(wanted: Language): void {
  spoken = wanted;
}

/** Sets the page's language before anything is shown. */
export function speak(wanted: Language): void {
  setLanguage(wanted);
  document.documentElement.lang = wanted;
}

/** The language that the script of index.html chose. */
export const wantedLanguage = (): Language => asLanguage(document.documentElement.lang) ?? 'en';

/** Stores the visitor's choice, which applies after a reload. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  sessionStorage.setItem(KEY, chosen);
}

/**
 * Adds a language to a path of this site (`?lang=es`). If `chosen` is undefined, the path stays unchanged, so that
 * readers get their own language.
 */
export function pathIn(chosen: Language | undefined, path: string): string {
  const url = new URL(path, window.location.origin);
  if (chosen) url.searchParams.set('lang', chosen);
  return url.pathname + url.search + url.hash;
}

/** The languages to switch to. */
export const otherLanguages = (): Language[] => LANGUAGES.filter((one) => one !== spoken);

/** A path to share, which opens in the sender's language. English needs no parameter. */
export const sharedPath = (path: string): string => pathIn(spoken === 'en' ? undefined : spoken, path);

/** Caches a value per language. */
export function perLanguage<T>(make: () => T): () => T {
  const made: Partial<Record<Language, { value: T }>> = {};
  return () => (made[spoken] ??= { value: make() }).value;
}
