import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { LoginForm } from '../../features/auth/login-form.tsx';
import { RegisterForm } from '../../features/auth/register-form.tsx';
import { texts } from '../../features/auth/texts.en.ts';
import { Welcome } from '../../features/auth/welcome.tsx';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { intentOf, type Intent } from '../../lib/events/engagement.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { returnPath } from '../../lib/navigation/return-path.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { useSession } from '../../lib/session/session.ts';
import { Tabs } from '../../ui/tabs.tsx';

/** Text that explains why the target page requires a sign-in; null if there is no special reason. */
function reasonOf(path: string): string | null {
  const t = textsNow(texts);
  const { pathname, hash } = new URL(path, window.location.origin);
  if (hash === '#launch') return t('toLaunch');
  if (hash === '#dashboard') return t('toDashboard');
  if (pathname === '/livestream-checkout') return t('toStream');
  if (pathname === '/checkout' || hash.startsWith('#promote-')) return t('toPromote');
  if (pathname === '/following') return t('toFollowing');
  if (hash === '#comments') return t('toComment');
  if (pathname === '/my-tickets') return t('toTickets');
  if (pathname === '/account') return t('toAccount');
  if (pathname === '/verify-email') return t('toVerify');
  if (pathname === '/saved') return t('toSaved');
  if (pathname === '/ticket-checkout' || pathname === '/ticket-success') return t('toOrder');
  return null;
}

/** Text for the reaction to an event that will be sent after signing in. */
function reasonOfIntent(intent: Intent | null): string | null {
  if (!intent) return null;
  const t = textsNow(texts);
  const { kind } = intent.reaction;
  if (kind === 'bookmark') return t('toBookmark');
  return kind === 'like' ? t('toLike') : t('toAnswer');
}

/** Sign-in and registration, which afterwards return to the previous page. */
export function Component() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'register' ? 'register' : 'login';
  const { token, user } = useSession();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const back = returnPath(params);
  usePageTitle(tab === 'login' ? t('pageSignIn') : t('pageRegister'));
  // An admin without codes at sign-in must turn them on first.
  const to = user?.codesRequired ? '/account' : back;
  // Also runs when another tab signs in.
  useEffect(() => {
    if (token) void navigate(to, { replace: true, state });
  }, [token, to, state, navigate]);

  const choose = (value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === 'register') next.set('tab', value);
        else next.delete('tab');
        return next;
      },
      { replace: true, state },
    );
  return (
    <Welcome
      notice={sessionStore.hasExpired() && <span className="block font-strong text-ink">{t('sessionEnded')}</span>}
      reason={reasonOfIntent(intentOf(state)) ?? reasonOf(back)}
    >
      <div className="rounded-lg border border-line bg-surface p-4 shadow-card sm:p-7">
        <Tabs
          label={t('signInOrRegister')}
          value={tab}
          onValueChange={choose}
          tabs={[
            { value: 'login', label: t('login'), content: <LoginForm /> },
            { value: 'register', label: t('register'), content: <RegisterForm /> },
          ]}
        />
      </div>
    </Welcome>
  );
}
