import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Policy } from '../../features/policies/policy.tsx';
import { texts } from '../../features/policies/terms.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ContactLink } from '../../lib/navigation/contact-link.tsx';

const contact = (words: ReactNode) => <ContactLink>{words}</ContactLink>;
const refunds = (words: ReactNode) => <Link to="/refunds">{words}</Link>;

/** The rules of docs/product.md, in plain language for users (frontend/PRODUCT.md#policies). */
export function Component() {
  const t = useTexts(texts);
  return (
    <Policy title={t('title')} lead={t('lead')} updated={t('updated')}>
      <h2>{t('whoDoes')}</h2>
      <p>{t('roles')}</p>
      <h2>{t('prices')}</h2>
      <ul>
        <li>{t('noFees')}</li>
        <li>{t('priceHeld')}</li>
        <li>{t('share')}</li>
        <li>{t('free')}</li>
      </ul>
      <h2>{t('buying')}</h2>
      <ul>
        <li>{t('hold')}</li>
        <li>{t('limit')}</li>
        <li>{t('late')}</li>
        <li>{t('ticketCode')}</li>
        <li>{t('guestLink')}</li>
      </ul>
      <p>{t.rich('whenBack', { refunds })}</p>
      <h2>{t('puttingOn')}</h2>
      <ul>
        <li>{t('isTrue')}</li>
        <li>{t('picture')}</li>
        <li>{t('changing')}</li>
        <li>{t('notLower')}</li>
        <li>{t('attendees')}</li>
      </ul>
      <h2>{t('notAllowed')}</h2>
      <p>{t('notAllowedWhat')}</p>
      <h2>{t('wrong')}</h2>
      <p>{t.rich('wrongWhat', { contact })}</p>
    </Policy>
  );
}
