import { FindAccountBody, type FoundAccount } from '@beltway/contracts/identity/totp';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { findAccount, takeCodesOff } from './api.ts';
import { texts } from './texts.en.ts';

type Account = NonNullable<FoundAccount['account']>;

const bdi = (words: ReactNode) => <bdi>{words}</bdi>;

/** Finds an account, and turns two-factor codes off for an owner who has lost both app and recovery codes. */
export function Accounts() {
  const t = useTexts(texts);
  const find = useMutation({ mutationFn: findAccount });
  const form = useFields({
    schema: FindAccountBody,
    initial: { q: '' },
    onSubmit: ({ q }) => find.mutate(q),
    error: find.error,
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      <div>
        <h2 className="text-title">{t('accounts')}</h2>
        <p className="mt-1 max-w-prose text-ink-soft">{t('accountsBy')}</p>
      </div>
      <form {...form.props} aria-label={t('findAccount')} className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField {...form.bind('q')} label={t('numberOrAddress')} autoComplete="off" spellCheck={false} />
        </div>
        <Button type="submit" pending={find.isPending} className="mt-6.5 max-sm:mt-0 max-sm:w-full">
          {find.isPending ? t('looking') : t('find')}
        </Button>
      </form>
      <Failure of={form.failure} />
      {find.data &&
        (find.data.account ? (
          <AccountCard key={find.data.account.id} account={find.data.account} />
        ) : (
          <EmptyState title={t('nothingFound')}>{t('noAccount')}</EmptyState>
        ))}
    </div>
  );
}

function AccountCard({ account }: { account: Account }) {
  const t = useTexts(texts);
  const { id, name, email, role, createdAt, recoveryCodesLeft } = account;
  const [codesSince, setCodesSince] = useState(account.codesSince);
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { user } = useSession();
  const isTakenOff = account.codesSince !== codesSince;
  // Moves the focus, because the pressed button closed with its dialog.
  useEffect(() => {
    if (isTakenOff) heading.current?.focus();
  }, [isTakenOff]);
  return (
    <Card as="article" aria-labelledby="found-account" className="gap-4">
      <div className="min-w-0 wrap-anywhere">
        <h3 id="found-account" ref={heading} tabIndex={-1} className="font-strong outline-none">
          <bdi>{name}</bdi>
        </h3>
        <p>
          <bdi>{email}</bdi>
        </p>
        <Meta className="tabular mt-1">
          {t('accountLine', { id: String(id), type: t(role), when: formatMoment(createdAt) })}
        </Meta>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {codesSince
          ? t.rich('codesOn', { badge: (words) => <Badge tone="success">{words}</Badge> })
          : t.rich('codesOff', { badge: (words) => <Badge>{words}</Badge> })}
        {codesSince && (
          <Meta as="span">{t('codesSince', { when: formatMoment(codesSince), count: String(recoveryCodesLeft) })}</Meta>
        )}
      </p>
      {codesSince &&
        (user?.id === id ? (
          <Meta>{t('yourOwn')}</Meta>
        ) : (
          <Button variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
            {t('turnOff')}
          </Button>
        ))}
      {isAsking && (
        <TakeOffDialog
          account={account}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            setCodesSince(null);
          }}
        />
      )}
    </Card>
  );
}

function TakeOffDialog({
  account: { id, name, email },
  onClose,
  onDone,
}: {
  account: Account;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useTexts(texts);
  const { pathname } = useLocation();
  const takeOff = useAction({
    mutationFn: () => takeCodesOff(id),
    done: { title: t('areOff'), at: pathname },
    onSuccess: onDone,
  });
  return (
    <ConfirmDialog
      title={t('turnOffThis')}
      action={t('turnThemOff')}
      acting={t('turningOff')}
      keep={t('keepThem')}
      mutation={takeOff}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{t.rich('turnOffWhy', { name, email, bdi })}</p>
      <Meta>{t('recorded')}</Meta>
    </ConfirmDialog>
  );
}
