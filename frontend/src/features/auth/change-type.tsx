import { User } from '@beltway/contracts/identity/accounts';
import { useState } from 'react';
import { z } from 'zod';
import { useAction } from '../../lib/actions/use-action.ts';
import { useFields } from '../../lib/forms/form.ts';
import { patch, renewSession } from '../../lib/http/http.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useSession } from '../../lib/session/session.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { AccountType } from './account-type.tsx';
import { texts } from './account.texts.en.ts';

const Schema = z.object({ role: z.enum(['user', 'business']) });
type Typed = z.infer<typeof Schema>;

/** Switches the account between Event Explorer and Business Owner. Hidden from admins, who cannot switch. */
export function ChangeType() {
  const t = useTexts(texts);
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!user || user.role === 'admin') return null;
  return (
    <>
      <Button variant="secondary" className="px-4 text-note" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('changeType')}
      </Button>
      {isOpen && <TypeDialog userId={user.id} role={user.role} onClose={() => setOpen(false)} />}
    </>
  );
}

function TypeDialog({ userId, role, onClose }: Typed & { userId: number; onClose: () => void }) {
  const t = useTexts(texts);
  const change = useAction({
    mutationFn: async (typed: Typed) => {
      await patch(`/api/users/${userId}/role`, typed, User);
      // The change revokes earlier tokens. A renewed token has the new type.
      const { token } = sessionStore.get();
      if (token) await renewSession(token);
    },
    onSuccess: onClose,
  });
  const form = useFields({
    schema: Schema,
    initial: { role },
    onSubmit: (typed) => change.mutate(typed),
    error: change.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('changeTypeTitle')}
      description={t('changeTypeWhy')}
      action={t('saveType')}
      acting={t('savingType')}
      pending={change.isPending}
      onClose={onClose}
    >
      <AccountType value={form.values.role} onChange={form.bind('role').onChange} />
    </FormDialog>
  );
}
