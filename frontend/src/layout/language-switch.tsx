import { useLocation } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { chooseLanguage, language, LANGUAGE_NAMES, otherLanguages, pathIn } from '../lib/i18n/language.ts';
import { texts } from './texts.en.ts';

/**
 * The page's language, and links to this page in the other languages. Each link reloads the page, because loaded data
 * may contain texts.
 */
export function LanguageSwitch({ className }: { className: string }) {
  const t = useTexts(texts);
  const { pathname, search, hash } = useLocation();
  return (
    <nav aria-label={t('language')} className="flex flex-wrap gap-x-4 text-note">
      <span aria-current="true" className="inline-flex min-h-11 items-center font-strong">
        {LANGUAGE_NAMES[language()]}
      </span>
      {otherLanguages().map((other) => (
        <a
          key={other}
          href={pathIn(other, pathname + search + hash)}
          lang={other}
          hrefLang={other}
          className={className}
          onClick={() => chooseLanguage(other)}
        >
          {LANGUAGE_NAMES[other]}
        </a>
      ))}
    </nav>
  );
}
