import { TurnOffTotpBody, TurnOnTotpBody, type TotpSetup } from '@beltway/contracts/totp';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { useFields } from '../../lib/form.ts';
import { formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { useSession } from '../../lib/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { LoginSchema } from './schemas.ts';
import { totpQuery, useSetUpTotp, useTurnOffTotp, useTurnOnTotp } from './totp-api.ts';

/** Whether signing in asks for a code; shown to business accounts and admins, and to whoever has it on. */
export function AccountCodes() {
  const found = useQuery(totpQuery());
  const { user } = useSession();
  const [open, setOpen] = useState<'on' | 'off' | null>(null);
  const { data, error } = found;
  const isShown = data ? data.isOn || data.mayTurnOn : user !== null && user.role !== 'user';
  if (!isShown) return null;
  return (
    <section
      aria-labelledby="account-codes-title"
      className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 rounded-lg border border-line p-5"
    >
      <h3 id="account-codes-title" className="flex flex-wrap items-center gap-2 font-strong">
        Codes at sign-in {data?.isOn && <Badge tone="success">On</Badge>}
      </h3>
      {data ? (
        <>
          <p className="text-ink-soft">
            {data.isOn
              ? `Signing in by password asks for a code of your authenticator app${data.since ? `, since ${formatMoment(data.since)}` : ''}. ${leftOf(data.recoveryCodesLeft)}`
              : 'With an authenticator app on your phone, your password alone signs nobody in.'}
          </p>
          {/* One button for both, so that the focus comes back to it from either dialog. */}
          <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpen(data.isOn ? 'off' : 'on')}>
            {data.isOn ? 'Turn off codes' : 'Turn on codes'}
          </Button>
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title="This could not be loaded"
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="Codes at sign-in are loading">
          <Skeleton className="h-12 w-full rounded-lg" />
        </Loading>
      )}
      {open === 'on' && <TurnOnDialog onClose={() => setOpen(null)} />}
      {open === 'off' && <TurnOffDialog onClose={() => setOpen(null)} />}
    </section>
  );
}

function leftOf(count: number): string {
  if (count === 0) return 'No recovery code is left: turn it off and on again for new ones.';
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`;
}

/** What failed, if no field says it. */
const Failure = ({ of }: { of: unknown }) =>
  of ? (
    <p role="alert" className="text-danger-ink">
      {explain(of)}
    </p>
  ) : null;

const Password = LoginSchema.pick({ password: true });

/** Password, then app, then recovery codes: one dialog, so that the focus goes back to where it came from. */
function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [said, setSaid] = useState('');
  const settingUp = useSetUpTotp();
  const turningOn = useTurnOnTotp();
  const setup = settingUp.data;
  const codes = turningOn.data?.recoveryCodes;
  const copy = async (all: string[]) => {
    const done = await copyText(all.join('\n'));
    setSaid(done ? 'The codes are copied.' : 'They could not be copied. Please write them down.');
  };
  const isPending = settingUp.isPending || turningOn.isPending;
  const footer = codes ? (
    <>
      <Button variant="secondary" onClick={() => void copy(codes)}>
        Copy the codes
      </Button>
      <Button onClick={onClose}>I have kept them</Button>
    </>
  ) : (
    <>
      <Button variant="secondary" onClick={onClose}>
        Not now
      </Button>
      <Button type="submit" form={formId} pending={isPending}>
        {isPending ? 'Checking…' : setup ? 'Turn on' : 'Continue'}
      </Button>
    </>
  );
  const close = () =>
    // Neither Escape nor a press beside it closes what is shown once.
    codes ? setSaid('These codes are shown once. Keep them, then press “I have kept them”.') : onClose();
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={codes ? 'Codes are on. Keep these, too' : setup ? 'Add Beltway to your app' : 'Turn on codes at sign-in'}
      footer={footer}
    >
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
  const form = useFields({
    schema: Password,
    initial: { password: '' },
    onSubmit: (body) => settingUp.mutate(body),
    error: settingUp.error,
  });
  return (
    <form {...form.props} id={formId} aria-label="Turn on codes at sign-in" className="grid gap-5">
      <p className="text-ink-soft">
        You need an authenticator app, such as the one of your phone or of your password manager.
      </p>
      <TextField {...form.bind('password')} label="Your password" as={PasswordInput} autoComplete="current-password" />
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
  const ref = useRef<HTMLFormElement>(null);
  // The field of the step before is gone, and the focus with it: what to do is read first.
  useEffect(() => ref.current?.querySelector('p')?.focus(), []);
  const form = useFields({
    schema: TurnOnTotpBody,
    initial: { code: '' },
    onSubmit: (body) => turningOn.mutate(body),
    error: turningOn.error,
  });
  const { size, path } = setup.qr;
  return (
    <form {...form.props} ref={ref} id={formId} aria-label="Add Beltway to your app" className="grid gap-5">
      <p tabIndex={-1} className="text-ink-soft">
        Scan the picture with the app, or type the key into it. Then type the six digits that it shows.
      </p>
      {/* Dark on white in every theme: cameras read nothing else for certain. */}
      <svg
        role="img"
        aria-label="QR code for your authenticator app; the key below is the same"
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto size-52 max-w-full rounded-md"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>
        <span className="block text-note text-ink-soft">Key</span>
        <code className="break-words">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <a href={setup.uri} className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4">
        Open in an app on this device
      </a>
      <TextField
        {...form.bind('code')}
        label="Code"
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
      />
      <Failure of={form.failure} />
    </form>
  );
}

function RecoveryCodes({ codes, said }: { codes: string[]; said: string }) {
  const first = useRef<HTMLParagraphElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p ref={first} tabIndex={-1}>
        Without your phone, each of these recovery codes signs you in once, after your password. They are shown now and
        never again: print them, or keep them in a password manager.
      </p>
      <ol aria-label="Recovery codes" className="mt-4 grid gap-2 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="break-words">{code}</code>
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
  const formId = useId();
  const turningOff = useTurnOffTotp(() => {
    onClose();
    toast({ title: 'Codes are off', description: 'Your password alone signs you in.', at: '/account' });
  });
  const form = useFields({
    schema: TurnOffTotpBody,
    initial: { code: '' },
    onSubmit: (body) => turningOff.mutate(body),
    error: turningOff.error,
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Turn off codes at sign-in"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep them on
          </Button>
          <Button type="submit" form={formId} pending={turningOff.isPending}>
            {turningOff.isPending ? 'Turning off…' : 'Turn off'}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} aria-label="Turn off codes at sign-in" className="grid gap-5">
        <TextField
          {...form.bind('code')}
          label="Code"
          hint="The six digits that your app shows, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
        />
        <Failure of={form.failure} />
      </form>
    </Dialog>
  );
}
