import type { Connection } from '@beltway/contracts/identity/connections';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { toastFailure } from '../../lib/actions/use-action.ts';
import { useSayConnection } from './api.ts';
import { texts } from './texts.en.ts';

/** What one can take back, by how one stands. */
const BACK = {
  asked: { label: 'takeBack', of: 'takeBackOne', title: 'takeBackTitle', why: 'takeBackWhy', done: 'takenBack' },
  'asks-you': { label: 'turnDown', of: 'turnDownOne', title: 'turnDownTitle', why: 'turnDownWhy', done: 'turnedDown' },
  connected: { label: 'end', of: 'endOne', title: 'endTitle', why: 'endWhy', done: 'ended' },
} as const;

interface ConnectionActionsProps {
  connection: Connection;
  /** The buttons are gone, or others, after it: where the focus goes. */
  onSaid: () => void;
}

/** Connect, accept, turn down, take back: whatever is possible as one stands. */
export function ConnectionActions({ connection, onSaid }: ConnectionActionsProps) {
  const t = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const { userId, name, state } = connection;
  const say = useSayConnection(userId, {
    onSuccess: (now) => {
      setAsking(false);
      // Of the page: the dialog closes.
      const at = window.location.pathname;
      if (now !== 'none') toast({ title: t(now === 'connected' ? 'connected' : 'asked', { name }), at });
      else if (state !== 'none') toast({ title: t(BACK[state].done), at });
    },
    // What is refused in the dialog is said there.
    onError: (error, wants) => wants && toastFailure(t('notSaved'), error),
    onShown: onSaid,
  });
  const wants = () => say.mutate(true);
  const isSaying = say.isPending && say.variables;
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'none' && (
        <Button aria-label={t('connectWith', { name })} pending={isSaying} onClick={wants}>
          {t('connect')}
        </Button>
      )}
      {state === 'asks-you' && (
        <Button aria-label={t('acceptOne', { name })} pending={isSaying} onClick={wants}>
          {t('accept')}
        </Button>
      )}
      {state !== 'none' && (
        <Button
          variant="secondary"
          aria-label={t(BACK[state].of, { name })}
          disabled={say.isPending}
          onClick={() => setAsking(true)}
        >
          {t(BACK[state].label)}
        </Button>
      )}
      {isAsking && state !== 'none' && (
        <ConfirmDialog
          title={t(BACK[state].title, { name })}
          description={t(BACK[state].why)}
          action={t(BACK[state].label)}
          mutation={{ ...say, mutate: () => say.mutate(false) }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
