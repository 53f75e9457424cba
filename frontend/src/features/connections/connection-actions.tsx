import type { Connection } from '@beltway/contracts/identity/connections';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toastFailure } from '../../lib/actions/use-action.ts';
import { useSayConnection } from './api.ts';
import { texts } from './texts.en.ts';

/** The texts for withdrawing from a connection in each state. */
const BACK = {
  asked: { label: 'takeBack', of: 'takeBackOne', title: 'takeBackTitle', why: 'takeBackWhy' },
  'asks-you': { label: 'turnDown', of: 'turnDownOne', title: 'turnDownTitle', why: 'turnDownWhy' },
  connected: { label: 'end', of: 'endOne', title: 'endTitle', why: 'endWhy' },
} as const;

interface ConnectionActionsProps {
  connection: Connection;
  /** Called after an action. The caller must move the focus, because the pressed button is removed or replaced. */
  onSaid: () => void;
}

/** The actions that the connection's state allows: connect, accept, decline, withdraw or end. */
export function ConnectionActions({ connection, onSaid }: ConnectionActionsProps) {
  const t = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const { userId, name, state } = connection;
  const say = useSayConnection(userId, {
    onSuccess: () => setAsking(false),
    // The dialog shows its own errors.
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
