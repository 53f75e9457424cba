import { MAX_PASSKEYS, RenamePasskeyBody, type Passkey } from '@beltway/contracts/identity/passkeys';
import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import { useClock } from '../../lib/time/clock.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatAge, formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { texts } from './account.texts.en.ts';
import {
  canPasskeys,
  explainPasskey,
  passkeysQuery,
  useAddPasskey,
  useRemovePasskey,
  useRenamePasskey,
} from './passkeys-api.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { LoginSchema } from './schemas.ts';

const MINUTE_MS = 60_000;

/** A list of the account's passkeys. The user can add, rename and remove passkeys. */
export function AccountPasskeys() {
  const t = useTexts(texts);
  const found = useQuery(passkeysQuery());
  const { data, error } = found;
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <Card ground="none" aria-labelledby="account-passkeys-title" className="gap-3">
      <h3 id="account-passkeys-title" ref={title} tabIndex={-1} className="font-strong outline-none">
        {t('passkeys')}
      </h3>
      <p className="text-ink-soft">{t('passkeysWhy')}</p>
      {data ? (
        // The heading gets the focus, because the pressed button disappears with its passkey.
        <List items={data.items} onRemoved={() => title.current?.focus()} />
      ) : error ? (
        <ErrorState
          heading="h3"
          title={t('passkeysFailed')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('passkeysLoading')}>
          <Skeleton className="h-24 rounded-lg" />
        </Loading>
      )}
    </Card>
  );
}

function List({ items, onRemoved }: { items: Passkey[]; onRemoved: () => void }) {
  const t = useTexts(texts);
  const now = useClock([], MINUTE_MS);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<{ passkey: Passkey; to: 'rename' | 'remove' } | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      {items.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
          {items.map((passkey) => (
            <li key={passkey.id} className="flex items-start justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="wrap-anywhere font-strong">
                  <bdi>{passkey.name}</bdi>
                </p>
                <Meta>
                  {passkey.usedAt
                    ? t('passkeyUsed', {
                        when: formatMoment(passkey.addedAt),
                        age: formatAge(passkey.usedAt, now).toLowerCase(),
                      })
                    : t('passkeyUnused', { when: formatMoment(passkey.addedAt) })}
                </Meta>
              </div>
              <div className="flex shrink-0">
                <IconButton
                  label={t('renameOf', { name: passkey.name })}
                  aria-haspopup="dialog"
                  onClick={() => setOpened({ passkey, to: 'rename' })}
                >
                  <Pencil aria-hidden />
                </IconButton>
                <IconButton
                  label={t('removeOf', { name: passkey.name })}
                  aria-haspopup="dialog"
                  onClick={() => setOpened({ passkey, to: 'remove' })}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      {!canPasskeys() ? (
        <p className="text-ink-soft">{t('noPasskeysHere')}</p>
      ) : items.length >= MAX_PASSKEYS ? (
        <p className="text-ink-soft">{t('passkeysFull', { max: formatCount(MAX_PASSKEYS) })}</p>
      ) : (
        <Button
          variant="secondary"
          className="justify-self-start"
          aria-haspopup="dialog"
          onClick={() => setAdding(true)}
        >
          {t('addPasskey')}
        </Button>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {opened?.to === 'rename' && <RenameDialog passkey={opened.passkey} onClose={close} />}
      {opened?.to === 'remove' && <RemoveDialog passkey={opened.passkey} onClose={close} onRemoved={onRemoved} />}
    </>
  );
}

const AddSchema = z.object({ ...RenamePasskeyBody.shape, password: LoginSchema.shape.password });

function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const adding = useAddPasskey(onClose);
  const form = useFields({
    schema: AddSchema,
    initial: { name: '', password: '' },
    onSubmit: (body) => adding.mutate(body),
    error: adding.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('addPasskey')}
      description={t('addWhy')}
      action={t('goOn')}
      acting={t('waiting')}
      pending={adding.isPending}
      failure={form.failure && explainPasskey(form.failure)}
      onClose={onClose}
    >
      <TextField {...form.bind('name')} label={t('name')} hint={t('nameHint')} maxLength={60} autoComplete="off" />
      <TextField
        {...form.bind('password')}
        label={t('yourPassword')}
        as={PasswordInput}
        autoComplete="current-password"
      />
    </FormDialog>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts(texts);
  const renaming = useRenamePasskey(passkey.id, onClose);
  const form = useFields({
    schema: RenamePasskeyBody,
    initial: { name: passkey.name },
    onSubmit: ({ name }) => renaming.mutate(name),
    error: renaming.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('renameThis')}
      action={t('rename')}
      acting={t('renaming')}
      pending={renaming.isPending}
      onClose={onClose}
    >
      <TextField {...form.bind('name')} label={t('name')} maxLength={60} autoComplete="off" />
    </FormDialog>
  );
}

function RemoveDialog({
  passkey,
  onClose,
  onRemoved,
}: {
  passkey: Passkey;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const t = useTexts(texts);
  const removing = useRemovePasskey(passkey.id, () => {
    flushSync(onClose); // the dialog traps the focus until it is closed
    onRemoved();
  });
  return (
    <PasswordDialog
      title={t('removeThis', { name: passkey.name })}
      description={t('removeWhy')}
      action={t('remove')}
      acting={t('removing')}
      keep={t('keepIt')}
      mutation={removing}
      onClose={onClose}
    />
  );
}
