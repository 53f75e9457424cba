import { MAX_CHAT_MESSAGE, MAX_GUEST_NAME, GuestName, PostMessageBody } from '@beltway/contracts/realtime/chat';
import { fault } from '@beltway/contracts/problems/fault';
import type { User } from '@beltway/contracts/identity/accounts';
import SendHorizontal from 'lucide-react/icons/send-horizontal';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { sayFault } from '../../lib/forms/say-fault.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass, Input, TextField } from '../../ui/field.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { texts } from './texts.en.ts';

const GUEST_NAME_SLOT = 'beltway.chat-guest-name';

/** The name that a guest chose for all rooms, stored on this device. */
const guestName = {
  get: (): string => localStorage.getItem(GUEST_NAME_SLOT) ?? '',
  set: (name: string): void => localStorage.setItem(GUEST_NAME_SLOT, name),
};

/** The number of characters left is shown once it is this number or less. */
const NEARLY_FULL = 100;
/** The user id under which a guest's draft is stored. */
const NOBODY = 0;
/**
 * Checks a guest's name. Loaded when a guest begins to type a name, to keep the check out of the home page's first
 * load. The server checks every name as well.
 */
let isReservedName: ((name: string) => boolean) | undefined;
const loadReservedNames = async () => {
  ({ isReservedName } = await import('@beltway/contracts/common/reserved-names'));
};
const FreeGuestName = GuestName.refine((name) => !isReservedName?.(name), fault('invalid.name-reserved'));

interface ComposerProps {
  /** The room's name, which is part of the draft's storage key. */
  room: string;
  user: User | null;
  /** When writing is allowed again, in milliseconds of this device's clock. */
  waitUntil: number;
  onSay: (message: string, guestName?: string) => void;
}

/** The message field: Enter sends the message, Shift+Enter starts a new line. A guest chooses a name once. */
export function Composer({ room, user, waitUntil, onSay }: ComposerProps) {
  const t = useTexts(texts);
  const id = useId();
  const draft = `chat-${room}`;
  const owner = user?.id ?? NOBODY;
  const [text, setText] = useState(() => drafts.read(draft, owner, z.string()) ?? '');
  const [error, setError] = useState<string | null>(null);
  const [name, setName] = useState(() => guestName.get());
  const [isNaming, setNaming] = useState(() => guestName.get() === '');
  const [nameError, setNameError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const seconds = useSecondsUntil(waitUntil);
  const left = MAX_CHAT_MESSAGE - text.trim().length;
  const { pathname, search } = useLocation();

  const type = (typed: string) => {
    setText(typed);
    setError(null);
    if (typed) drafts.write(draft, owner, typed);
    else drafts.drop(draft);
  };
  const send = () => {
    if (seconds > 0) return;
    const guest = user ? null : FreeGuestName.safeParse(name);
    if (guest?.error) {
      setNaming(true);
      setNameError(sayFault(guest.error.issues[0]!.message));
      requestAnimationFrame(() => form.current?.querySelector('input')?.focus());
      return;
    }
    const message = PostMessageBody.shape.message.safeParse(text);
    if (message.error) return setError(said(t, message.error.issues[0]!.message));
    if (guest) {
      guestName.set(guest.data);
      setName(guest.data);
      setNaming(false);
    }
    onSay(message.data, guest?.data);
    type('');
    field.current?.focus();
  };
  const onKeyDown = (press: KeyboardEvent) => {
    // While an input method composes text, Enter confirms that text.
    if (press.key !== 'Enter' || press.shiftKey || press.nativeEvent.isComposing) return;
    press.preventDefault();
    send();
  };
  const note =
    error ??
    (seconds > 0
      ? t('writeAgain', { count: seconds })
      : left < 0
        ? t('tooMany', { count: -left })
        : left < NEARLY_FULL
          ? t('left', { count: left })
          : null);
  return (
    <form
      ref={form}
      aria-label={t('write')}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        send();
      }}
      className="grid gap-2 border-t border-line px-4 py-3"
    >
      {!user &&
        (isNaming ? (
          <TextField
            label={t('yourName')}
            as={Input}
            value={name}
            maxLength={MAX_GUEST_NAME}
            autoComplete="nickname"
            error={nameError}
            onChange={(typed) => {
              void loadReservedNames();
              setName(typed);
              setNameError(null);
            }}
            onKeyDown={(press) => {
              if (press.key !== 'Enter') return;
              press.preventDefault();
              if (name.trim()) field.current?.focus();
            }}
          />
        ) : (
          <Meta className="-my-2 flex flex-wrap items-center gap-x-1">
            <span>
              {t.rich('as', {
                name: () => <bdi className="font-strong text-ink wrap-anywhere">{name}</bdi>,
              })}
            </span>
            <Button variant="quiet" className="px-2! text-note" onClick={() => setNaming(true)}>
              {t('changeName')}
            </Button>
            <TextLink to={signInPath(pathname + search)} className="px-1 font-strong">
              {t('signIn')}
            </TextLink>
          </Meta>
        ))}
      <div className="flex items-end gap-2">
        <label htmlFor={id} className="sr-only">
          {t('yourMessage')}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={1}
          dir="auto"
          value={text}
          placeholder={t('writeMessage')}
          aria-describedby={note ? `${id}-note` : undefined}
          aria-invalid={error !== null || left < 0 || undefined}
          enterKeyHint="send"
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          className={cx(controlClass, 'max-h-28 min-w-0 flex-1 resize-none [field-sizing:content]')}
        />
        <IconButton
          type="submit"
          label={t('send')}
          disabled={seconds > 0}
          className="bg-accent text-on-accent hover:bg-accent-hover! disabled:bg-ink/10"
        >
          <SendHorizontal aria-hidden />
        </IconButton>
      </div>
      <p
        id={`${id}-note`}
        role={error ? 'alert' : undefined}
        className={cx(
          'tabular text-note',
          note === null && 'hidden',
          error || left < 0 ? 'text-danger-ink' : 'text-ink-soft',
        )}
      >
        {note}
      </p>
    </form>
  );
}

/** Turns the reason for a rejection, such as "must have at most 500 characters", into a sentence about this message. */
const said = (t: TextsOf<typeof texts>, why: string) =>
  t(why.startsWith('invalid.too-long') ? 'messageRefused' : 'refused', { why: sayFault(why) });

/** Whole seconds until this moment, counting down to 0. */
function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now);
  const isAhead = moment > now;
  useEffect(() => {
    setNow(Date.now());
    if (moment <= Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [moment, isAhead]);
  return isAhead ? Math.ceil((moment - now) / 1_000) : 0;
}
