import { SavedSearches } from '../../features/events/searches/saved-searches.tsx';
import { Preferences } from '../../features/notifications/preferences.tsx';
import { AccountCodes } from '../../features/auth/account-codes.tsx';
import { AccountEmail } from '../../features/auth/account-email.tsx';
import { AccountPasskeys } from '../../features/auth/account-passkeys.tsx';
import { AccountPassword } from '../../features/auth/account-password.tsx';
import { AccountSessions } from '../../features/auth/account-sessions.tsx';
import { ChangeType } from '../../features/auth/change-type.tsx';
import { BlockedPeople } from '../../features/thread/blocked-people.tsx';
import { OwnVisibility } from '../../features/points/own-visibility.tsx';
import { texts } from '../../features/account/texts.en.ts';
import { YourData } from '../../features/account/your-data.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useSession } from '../../lib/session/session.ts';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const TYPES = { user: 'explorer', business: 'owner', admin: 'admin' } as const;

/** The user's account and data. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('account'));
  const { user } = useSession();
  if (!user) return null;
  const facts = [
    [t('name'), user.name],
    [t('email'), user.email],
  ] as const;
  return (
    <Page title={t('account')} width="text" isRoomy>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)]">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft max-sm:-mb-2">{label}</dt>
            <dd className="wrap-anywhere font-strong">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        <dt className="text-ink-soft max-sm:-mb-2 sm:self-center">{t('accountType')}</dt>
        <dd className="flex flex-wrap items-center gap-3 font-strong">
          {t(TYPES[user.role])} <ChangeType />
        </dd>
      </dl>
      <section aria-labelledby="sign-in-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h2 id="sign-in-title" className="text-title">
          {t('signingIn')}
        </h2>
        <AccountEmail />
        <AccountPassword />
        <AccountCodes />
        <AccountPasskeys />
        <AccountSessions />
      </section>
      <OwnVisibility userId={user.id} />
      <SavedSearches />
      <Preferences />
      <p>
        <TextLink to="/moderation/mine">{t('decided')}</TextLink>
      </p>
      <BlockedPeople />
      <YourData />
    </Page>
  );
}
