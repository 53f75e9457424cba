import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { configQuery } from '../lib/http/public-config.ts';
import { useSession } from '../lib/session/session.ts';
import { cx } from '../ui/cx.ts';
import { Mark } from '../ui/mark.tsx';
import { Meta } from '../ui/meta.tsx';
import { useIsAdmin } from './account.ts';
import { useOpenDialog } from './header-dialogs.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { texts } from './texts.en.ts';

const item = 'inline-flex min-h-11 items-center underline-offset-4 hover:underline';

/**
 * The footer's links. On a phone the links are collapsed to one line until the visitor opens the list
 * (frontend/PRODUCT.md#home).
 */
export function FooterLinks() {
  const [isOpen, setOpen] = useState(false);
  const t = useTexts(texts);
  const { token } = useSession();
  const isAdmin = useIsAdmin();
  const openDialog = useOpenDialog();
  const page = (to: string, label: string) => (
    <Link to={to} className={item}>
      {label}
    </Link>
  );
  const dialog = (name: 'launch' | 'contact', label: string) => (
    <button type="button" className={item} onClick={() => openDialog(name)}>
      {label}
    </button>
  );
  return (
    <footer className="mt-8 print:hidden border-t border-line bg-sunken pb-[var(--dock)] md:mt-14 md:pb-0">
      <div className="page flex min-h-14 items-center justify-between gap-3 text-note md:hidden">
        <span className="flex items-center gap-2 font-strong">
          <Mark className="size-5 text-accent-ink" />
          {t('brand')}
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="footer-links"
          className={item}
          onClick={() => setOpen(!isOpen)}
        >
          {t('footerLinks')}
          <ChevronDown aria-hidden className={cx('ms-1 size-4', isOpen && 'rotate-180')} />
        </button>
      </div>
      <div
        id="footer-links"
        className={cx(
          'page grid gap-x-10 gap-y-6 pb-8 pt-2 md:pt-8 lg:grid-cols-[minmax(0,1.6fr)_3fr]',
          !isOpen && 'max-md:hidden',
        )}
      >
        <div className="max-w-sm">
          <p className="flex max-md:hidden items-center gap-2 font-display text-title font-strong">
            <Mark className="size-6 text-accent-ink" />
            {t('brand')}
          </p>
          <Meta className="mt-2">{t('promise')}</Meta>
          <LanguageSwitch className={item} />
        </div>
        <div className="grid grid-cols-2 gap-x-8 gap-y-5 md:grid-cols-4">
          <Column
            title={t('quickLinks')}
            links={[
              page('/', t('home')),
              page('/community', t('community')),
              page('/gallery', t('gallery')),
              page('/top-picks', t('topPicks')),
              page('/my-tickets', t('myTickets')),
              token ? page('/following', t('following')) : page('/auth', t('loginRegister')),
              token && page('/account', t('account')),
            ]}
          />
          <Column
            title={t('eventServices')}
            links={[
              dialog('launch', t('launch')),
              token && page('/dashboard', t('eventsAndSales')),
              isAdmin && page('/admin', t('adminRevenue')),
            ]}
          />
          <Column title={t('contact')} links={[dialog('contact', t('contactUs')), <SupportMail key="mail" />]} />
          <Column
            title={t('policies')}
            links={[
              page('/privacy', t('privacy')),
              page('/terms', t('terms')),
              page('/refunds', t('refunds')),
              page('/accessibility', t('accessibility')),
            ]}
          />
        </div>
      </div>
    </footer>
  );
}

function Column({ title, links }: { title: string; links: ReactNode[] }) {
  return (
    <nav aria-label={title}>
      <Meta className="font-strong" aria-hidden>
        {title}
      </Meta>
      <ul className="text-note font-strong">{links.map((link, at) => link && <li key={at}>{link}</li>)}</ul>
    </nav>
  );
}

/** The support email address, if configured. */
function SupportMail() {
  const address = useQuery(configQuery()).data?.supportEmail;
  return address ? (
    <a href={`mailto:${address}`} className={`${item} break-all`}>
      {address}
    </a>
  ) : null;
}
