import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { intentOf, useReact, type Intent } from '../lib/events/engagement.ts';
import { useSession } from '../lib/session/session.ts';

/** After signing in, sends the reaction to an event that required the sign-in. */
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
    react(reaction);
  }, [react, reaction, navigate, search, hash]);
  return null;
}
