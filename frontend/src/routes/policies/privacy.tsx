import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Policy } from '../../features/policies/policy.tsx';
import { texts } from '../../features/policies/privacy.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ContactLink } from '../../lib/navigation/contact-link.tsx';

const account = (words: ReactNode) => <Link to="/account">{words}</Link>;
const code = (words: ReactNode) => <code>{words}</code>;
const contact = (words: ReactNode) => <ContactLink>{words}</ContactLink>;

/** Describes what the services store. Update it in both languages when that changes (frontend/PRODUCT.md#policies). */
export function Component() {
  const t = useTexts(texts);
  return (
    <Policy title={t('title')} lead={t('lead')} updated={t('updated')}>
      <h2>{t('looking')}</h2>
      <p>{t('lookingWhat')}</p>
      <h2>{t('account')}</h2>
      <ul>
        <li>{t('likes')}</li>
        <li>{t.rich('nameEmail', { account })}</li>
        <li>{t('network')}</li>
        <li>{t('asOrganizer')}</li>
        <li>{t('searches')}</li>
        <li>{t('comments')}</li>
        <li>{t('password')}</li>
        <li>{t('signIns')}</li>
      </ul>
      <h2>{t('deleting')}</h2>
      <ul>
        <li>{t('atOnce')}</li>
        <li>{t('ticketsStay')}</li>
        <li>{t('money')}</li>
        <li>{t('adName')}</li>
        <li>{t('notPossible')}</li>
      </ul>
      <h2>{t('ticket')}</h2>
      <ul>
        <li>{t('order')}</li>
        <li>{t('card')}</li>
        <li>{t('whoSees')}</li>
        <li>{t('orderMails')}</li>
      </ul>
      <h2>{t('writing')}</h2>
      <p>{t('writingWhat')}</p>
      <h2>{t('storage')}</h2>
      <ul>
        <li>{t.rich('refreshCookie', { code })}</li>
        <li>{t.rich('deviceCookie', { code })}</li>
        <li>{t('browserKeeps')}</li>
      </ul>
      <p>{t('noneForAds')}</p>
      <h2>{t('breaks')}</h2>
      <p>{t('breaksWhat')}</p>
      <h2>{t('map')}</h2>
      <p>{t('mapWhat')}</p>
      <h2>{t('elsewhere')}</h2>
      <p>{t('elsewhereWhat')}</p>
      <h2>{t('ask')}</h2>
      <p>{t.rich('askWhat', { account, contact })}</p>
    </Policy>
  );
}
