import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Policy } from '../../features/policies/policy.tsx';
import { texts } from '../../features/policies/refunds.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ContactLink } from '../../lib/navigation/contact-link.tsx';

const contact = (words: ReactNode) => <ContactLink>{words}</ContactLink>;
const tickets = (words: ReactNode) => <Link to="/my-tickets">{words}</Link>;

/** The rules of services/ticketing/PRODUCT.md#refunds, in plain language for users. */
export function Component() {
  const t = useTexts(texts);
  return (
    <Policy title={t('title')} lead={t('lead')} updated={t('updated')}>
      <h2>{t('canceled')}</h2>
      <ul>
        <li>{t('byItself')}</li>
        <li>{t('mails')}</li>
        <li>{t('toCard')}</li>
        <li>{t.rich('void', { tickets })}</li>
      </ul>
      <h2>{t('noTickets')}</h2>
      <p>{t('noTicketsWhy')}</p>
      <h2>{t('cannotCome')}</h2>
      <ul>
        <li>{t('deadline')}</li>
        <li>{t.rich('canceling', { tickets })}</li>
        <li>{t('codesEnd')}</li>
        <li>{t.rich('postponed', { contact })}</li>
        <li>{t('often')}</li>
      </ul>
      <h2>{t('byOrganizer')}</h2>
      <p>{t('byOrganizerWhy')}</p>
      <h2>{t('unknown')}</h2>
      <p>{t.rich('unknownWhy', { contact })}</p>
      <h2>{t('fee')}</h2>
      <p>{t('feeWhy')}</p>
      <h2>{t('promotions')}</h2>
      <p>{t.rich('promotionsWhy', { contact })}</p>
      <h2>{t('elsewhere')}</h2>
      <p>{t('elsewhereWhy')}</p>
    </Policy>
  );
}
