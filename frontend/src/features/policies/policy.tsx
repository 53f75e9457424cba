import type { ComponentProps } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { language, pathIn } from '../../lib/i18n/language.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Prose } from '../../ui/prose.tsx';
import { texts } from './texts.en.ts';

/** A policy page. A translation begins with a note that the English text applies (frontend/PRODUCT.md#policies). */
export function Policy(props: Omit<ComponentProps<typeof Prose>, 'note'>) {
  usePageTitle(props.title);
  return <Prose {...props} note={language() !== 'en' && <IsTranslation />} />;
}

function IsTranslation() {
  const t = useTexts(texts);
  const { pathname } = useLocation();
  return t.rich('translation', {
    // Opens in a new tab, so that this tab keeps its language.
    english: (words) => (
      <a
        href={pathIn('en', pathname)}
        hrefLang="en"
        target="_blank"
        rel="noopener"
        className="font-strong underline underline-offset-4"
      >
        {words}
      </a>
    ),
  });
}
