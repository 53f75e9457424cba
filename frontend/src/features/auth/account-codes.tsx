import { TurnOffTotpBody, TurnOnTotpBody, type TotpSetup, type TotpState } from '@beltway/contracts/identity/totp';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { texts } from './account.texts.en.ts';
import { LoginSchema } from './schemas.ts';
import { totpQuery, useSetUpTotp, useTurnOffTotp, useTurnOnTotp } from './totp-api.ts';

/** Two-factor codes; shown to business accounts and admins, and to any account that has turned them on. */
export function AccountCodes() {
  const t = useTexts(texts);
  const found = useQuery(totpQuery());
  const { user } = useSession();
  const [open, setOpen] = useState<'on' | 'off' | null>(null);
  const leftOf = ({ recoveryCodesLeft: count }: TotpState) => t('codesLeft', { count });
  const { data, error } = found;
  const isRequired = user?.codesRequired === true;
  const isShown = data ? data.isOn || data.mayTurnOn : user !== null && (user.role !== 'user' || isRequired);
  if (!isShown) return null;
  return (
    <Card ground="none" aria-labelledby="account-codes-title" className="justify-items-start gap-3">
      <h3 id="account-codes-title" className="flex flex-wrap items-center gap-2 font-strong">
        {t('codesTitle')} {data?.isOn && <Badge tone="success">{t('codesOn')}</Badge>}
      </h3>
      {isRequired && <Notice>{t('codesRequired')}</Notice>}
      {data ? (
        <>
          <p className="text-ink-soft">
            {!data.isOn
              ? t('codesWhenOff')
              : data.since
                ? t('codesOnSince', { when: formatMoment(data.since), left: leftOf(data) })
                : t('codesWhenOn', { left: leftOf(data) })}
          </p>
          {/* Both dialogs share this button, so that the focus returns to it when a dialog closes. */}
          <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpen(data.isOn ? 'off' : 'on')}>
            {data.isOn ? t('turnOffCodes') : t('turnOnCodes')}
          </Button>
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title={t('codesFailed')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('codesLoading')}>
          <Skeleton className="h-12 w-full rounded-lg" />
        </Loading>
      )}
      {open === 'on' && <TurnOnDialog onClose={() => setOpen(null)} />}
      {open === 'off' && <TurnOffDialog onClose={() => setOpen(null)} />}
    </Card>
  );
}

const Password = LoginSchema.pick({ password: true });

/**
 * Three steps: password, app, recovery codes. They share one dialog, so that the focus returns to the button that
 * opened it.
 */
function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const formId = useId();
  const [said, setSaid] = useState('');
  const settingUp = useSetUpTotp();
  const turningOn = useTurnOnTotp();
  const setup = settingUp.data;
  const codes = turningOn.data?.recoveryCodes;
  const copy = async (all: string[]) => {
    const done = await copyText(all.join('\n'));
    setSaid(done ? t('codesCopied') : t('codesNotCopied'));
  };
  const isPending = settingUp.isPending || turningOn.isPending;
  const footer = codes ? (
    <>
      <Button variant="secondary" onClick={() => void copy(codes)}>
        {t('copyCodes')}
      </Button>
      <Button onClick={onClose}>{t('keptThem')}</Button>
    </>
  ) : (
    <>
      <Button variant="secondary" onClick={onClose}>
        {t('notNow')}
      </Button>
      <Button type="submit" form={formId} pending={isPending}>
        {isPending ? t('checking') : setup ? t('turnOn') : t('goOn')}
      </Button>
    </>
  );
  const close = () =>
    // Escape and clicks outside do not close the recovery codes, because they are shown only once.
    codes ? setSaid(t('shownOnce')) : onClose();
  return (
    <Dialog onClose={close} title={codes ? t('keepThese') : setup ? t('addToApp') : t('turnOnTitle')} footer={footer}>
      {codes ? (
        <RecoveryCodes codes={codes} said={said} />
      ) : setup ? (
        <AppStep setup={setup} formId={formId} turningOn={turningOn} />
      ) : (
        <PasswordStep formId={formId} settingUp={settingUp} />
      )}
    </Dialog>
  );
}

function PasswordStep({ formId, settingUp }: { formId: string; settingUp: ReturnType<typeof useSetUpTotp> }) {
  const t = useTexts(texts);
  const form = useFields({
    schema: Password,
    initial: { password: '' },
    onSubmit: (body) => settingUp.mutate(body),
    error: settingUp.error,
  });
  return (
    <form {...form.props} id={formId} aria-label={t('turnOnTitle')} className="grid gap-5">
      <p className="text-ink-soft">{t('needApp')}</p>
      <TextField
        {...form.bind('password')}
        label={t('yourPassword')}
        as={PasswordInput}
        autoComplete="current-password"
      />
      <Failure of={form.failure} />
    </form>
  );
}

function AppStep({
  setup,
  formId,
  turningOn,
}: {
  setup: TotpSetup;
  formId: string;
  turningOn: ReturnType<typeof useTurnOnTotp>;
}) {
  const t = useTexts(texts);
  const ref = useRef<HTMLFormElement>(null);
  // The field of the previous step had the focus and was removed. Focuses the instructions, so that screen readers
  // start there.
  useEffect(() => ref.current?.querySelector('p')?.focus(), []);
  const form = useFields({
    schema: TurnOnTotpBody,
    initial: { code: '' },
    onSubmit: (body) => turningOn.mutate(body),
    error: turningOn.error,
  });
  const { size, path } = setup.qr;
  return (
    <form {...form.props} ref={ref} id={formId} aria-label={t('addToApp')} className="grid gap-5">
      <p tabIndex={-1} className="text-ink-soft">
        {t('scan')}
      </p>
      {/* The QR code is dark on white in every theme, because cameras do not read other colors reliably. */}
      <svg
        role="img"
        aria-label={t('qrCode')}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto size-52 max-w-full rounded-md"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>
        <Meta as="span" className="block">
          {t('key')}
        </Meta>
        <code className="wrap-anywhere">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <a href={setup.uri} className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4">
        {t('openApp')}
      </a>
      <TextField
        {...form.bind('code')}
        label={t('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
      />
      <Failure of={form.failure} />
    </form>
  );
}

function RecoveryCodes({ codes, said }: { codes: string[]; said: string }) {
  const t = useTexts(texts);
  const first = useRef<HTMLParagraphElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p ref={first} tabIndex={-1}>
        {t('recoveryWhy')}
      </p>
      <ol aria-label={t('recoveryCodes')} className="mt-4 grid gap-2 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="wrap-anywhere">{code}</code>
          </li>
        ))}
      </ol>
      <p role="status" className="mt-4 min-h-6 text-note">
        {said}
      </p>
    </>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const turningOff = useTurnOffTotp(onClose);
  const form = useFields({
    schema: TurnOffTotpBody,
    initial: { code: '' },
    onSubmit: (body) => turningOff.mutate(body),
    error: turningOff.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('turnOffTitle')}
      action={t('turnOff')}
      acting={t('turningOff')}
      pending={turningOff.isPending}
      keep={t('keepOn')}
      onClose={onClose}
    >
      <TextField
        {...form.bind('code')}
        label={t('code')}
        hint={t('codeHint')}
        autoComplete="one-time-code"
        spellCheck={false}
      />
    </FormDialog>
  );
}
