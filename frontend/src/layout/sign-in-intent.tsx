import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { intentOf, useReact, type Intent, type Reaction } from '../lib/engagement.ts';
import { useSession } from '../lib/session.ts';
import { toast } from '../ui/toast.ts';

/** Does, after signing in, what somebody wanted to do with an event and was asked to sign in for. */
export function SignInIntent() {
  const { token } = useSession();
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  const intent = intentOf(state);
  return token && intent && pathname !== '/auth' ? <Fulfil intent={intent} /> : null;
}

function Fulfil({ intent: { eventId, reaction } }: { intent: Intent }) {
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
  if (kind === 'bookmark') return 'Saved. You find it under Saved.';
  if (kind === 'like') return 'You like this event.';
  return wanted === 'going' ? 'You are going.' : 'You are interested.';
}
