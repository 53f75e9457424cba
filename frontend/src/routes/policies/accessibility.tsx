import type { ReactNode } from 'react';
import { Policy } from '../../features/policies/policy.tsx';
import { texts } from '../../features/policies/accessibility.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ContactLink } from '../../lib/navigation/contact-link.tsx';

const contact = (words: ReactNode) => <ContactLink>{words}</ContactLink>;

/** The accessibility statement (frontend/PRODUCT.md#policies). */
export function Component() {
  const t = useTexts(texts);
  return (
    <Policy title={t('title')} lead={t('lead')} updated={t('updated')}>
      <h2>{t('countOn')}</h2>
      <ul>
        <li>{t('keyboard')}</li>
        <li>{t('readers')}</li>
        <li>{t('contrast')}</li>
        <li>{t('small')}</li>
        <li>{t('motion')}</li>
        <li>{t('errors')}</li>
      </ul>
      <h2>{t('howChecked')}</h2>
      <p>{t('checked')}</p>
      <h2>{t('hard')}</h2>
      <ul>
        <li>{t('pictures')}</li>
        <li>{t('cardForm')}</li>
        <li>{t('steps')}</li>
      </ul>
      <h2>{t('tell')}</h2>
      <p>{t.rich('tellWhat', { contact })}</p>
    </Policy>
  );
}
