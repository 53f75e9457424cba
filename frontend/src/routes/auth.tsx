import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { LoginForm } from '../features/auth/login-form.tsx';
import { RegisterForm } from '../features/auth/register-form.tsx';
import { intentOf, type Intent } from '../lib/engagement.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { returnPath } from '../lib/return-path.ts';
import { sessionStore } from '../lib/session-store.ts';
import { useSession } from '../lib/session.ts';
import { Mark } from '../ui/mark.tsx';
import { Tabs } from '../ui/tabs.tsx';

/** Why signing in is asked for, by the address that it leads to; null for no special reason. */
function reasonOf(path: string): string | null {
  const { pathname, hash } = new URL(path, window.location.origin);
  if (hash === '#launch') return 'Sign in to launch your event. The form opens as soon as you are in.';
  if (hash === '#dashboard') return 'Sign in to see how your events sell.';
  if (pathname === '/livestream-checkout') return 'Sign in to stream your event live.';
  if (pathname === '/checkout' || hash.startsWith('#promote-')) return 'Sign in to promote your event.';
  if (pathname === '/following') return 'Sign in to see whom you follow.';
  if (hash === '#comments') return 'Sign in to write a comment.';
  if (pathname === '/my-tickets') return 'Sign in to see your tickets.';
  if (pathname === '/account') return 'Sign in to see your account.';
  if (pathname === '/verify-email') return 'Sign in to confirm your email address.';
  if (pathname === '/saved') return 'Sign in to see the events you saved.';
  if (pathname === '/ticket-checkout' || pathname === '/ticket-success')
    return 'Sign in, and your order goes on where it was.';
  return null;
}

/** What somebody wanted to do with an event, which is done as soon as they are in. */
function reasonOfIntent(intent: Intent | null): string | null {
  if (!intent) return null;
  const { kind } = intent.reaction;
  if (kind === 'bookmark') return 'Sign in, and the event is saved for you.';
  return kind === 'like' ? 'Sign in, and your like is counted.' : 'Sign in, and your answer is counted.';
}

/** Sign-in and registration; afterwards back to where one came from. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'register' ? 'register' : 'login';
  const { token } = useSession();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const back = returnPath(params);
  usePageTitle(tab === 'login' ? 'Sign in' : 'Create an account');
  // Also when another tab signs in.
  useEffect(() => {
    if (token) void navigate(back, { replace: true, state });
  }, [token, back, state, navigate]);

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
    <div className="page grid grid-cols-1 items-start gap-x-20 gap-y-8 py-8 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
      <div className="lg:sticky lg:top-28">
        <h1 className="text-heading lg:text-display">Come on in.</h1>
        <p className="mt-3 max-w-[42ch] text-ink-soft lg:mt-5 lg:text-title lg:leading-normal">
          {sessionStore.hasExpired() && (
            <span className="block font-strong text-ink">You were signed out, because your session has ended.</span>
          )}
          {reasonOfIntent(intentOf(state)) ??
            reasonOf(back) ??
            'With an account your tickets are in one place, and your own events are a form away.'}
        </p>
        <Mark className="mt-14 hidden size-64 text-accent lg:block" />
      </div>
      <div className="rounded-lg border border-line bg-surface p-4 shadow-card sm:p-7">
        <Tabs
          label="Sign in or register"
          value={tab}
          onValueChange={choose}
          tabs={[
            { value: 'login', label: 'Login', content: <LoginForm /> },
            { value: 'register', label: 'Register', content: <RegisterForm /> },
          ]}
        />
      </div>
    </div>
  );
}
