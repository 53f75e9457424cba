import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { textsNow } from '../lib/i18n/catalog.ts';
import { intentOf, useReact, type Intent, type Reaction } from '../lib/events/engagement.ts';
import { useSession } from '../lib/session/session.ts';
import { toast } from '../ui/toast.ts';
import { texts } from './texts.en.ts';

/** Does, after signing in, what somebody wanted to do with an event and was asked to sign in for. */
export function SignInIntent() {
  const { token } = useSession();
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  const intent = intentOf(state);
  return token && intent && pathname !== '/auth' ? <Fulfill intent={intent} /> : null;
}

function Fulfill({ intent: { eventId, reaction } }: { intent: Intent }) {
  const react = useReact(eventId);
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    void navigate({ search, hash }, { replace: true, state: null });
    react(reaction, () => toast({ title: doneText(reaction) }));
  }, [react, reaction, navigate, search, hash]);
  return null;
}

function doneText({ kind, wanted }: Reaction): string {
  const t = textsNow(texts);
  if (kind === 'bookmark') return t('savedIt');
  if (kind === 'like') return t('likedIt');
  return wanted === 'going' ? t('going') : t('interested');
}
