import type { DeadLetterItem } from '@beltway/contracts/ops/dead-letters';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { LETTERS, lettersQuery, lookAtLetter, settleLetter, type ListedLetters, type Settling } from './api.ts';
import { formatAgo } from './spans.ts';
import { texts } from './texts.en.ts';

/** Messages that a consumer group could not handle, with actions. */
export function DeadLetters() {
  const t = useTexts(texts);
  const [state, setState] = useState<ListedLetters>('waiting');
  const [group, setGroup] = useState('');
  /** Kept in this component, because a dead letter leaves the list when another admin settles it. */
  const [asked, setAsked] = useState<Asked | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(lettersQuery(state, group));
  const pages = found.data?.pages;
  const groups = pages?.at(-1)?.groups ?? [];
  const cut = groups.filter(({ hasMore }) => hasMore);
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
          {t('letters')}
        </h2>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
          <Field label={t('show')}>
            <Select value={state} onChange={({ target }) => setState(target.value as ListedLetters)}>
              <option value="waiting">{t('waiting')}</option>
              <option value="all">{t('all')}</option>
            </Select>
          </Field>
          <Field label={t('group')}>
            <Select value={group} onChange={({ target }) => setGroup(target.value)}>
              <option value="">{t('allGroups')}</option>
              {/* The selected group stays in the list, even without dead letters. */}
              {[...new Set([...groups.map((one) => one.group), ...(group ? [group] : [])])].map((name) => (
                <option key={name} value={name}>
                  {t('nameCount', {
                    ...{ name, count: String(groups.find((one) => one.group === name)?.waiting ?? 0) },
                  })}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
      {cut.length > 0 && <Meta>{t('older', { groups: cut.map((one) => one.group).join(', ') })}</Meta>}
      <PagedList
        found={found}
        items={pages?.flatMap(({ items }) => items)}
        what={t('lettersWhat')}
        skeleton={{ className: 'h-44', of: 'cards' }}
        empty={
          <EmptyState title={state === 'waiting' ? t('noneWait') : t('noLetters')}>{t('noLettersWhy')}</EmptyState>
        }
      >
        {(letters) => (
          <ul className="grid grid-cols-1 gap-4">
            {letters.map((letter) => (
              <li key={letter.id}>
                <Letter letter={letter} onAsk={(how) => setAsked({ letter, how })} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {asked && <SettleDialog {...asked} onClose={() => setAsked(null)} onSettled={() => heading.current?.focus()} />}
    </div>
  );
}

const bdi = (words: ReactNode) => <bdi>{words}</bdi>;

function Letter({ letter, onAsk }: { letter: DeadLetterItem; onAsk: (how: Settling) => void }) {
  const t = useTexts(texts);
  const { id, group, type, key, at, attempts, cause, outline, state, settledAt, replayable } = letter;
  return (
    <Card as="article" aria-label={t('typeIn', { type, group })} className="gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-strong wrap-anywhere">{type}</bdi>
        <Meta as="span" className="wrap-anywhere">
          {t('inGroup', { group })}
        </Meta>
        {state !== 'waiting' && (
          <Badge tone={state === 'replayed' ? 'success' : 'neutral'}>
            {t(state === 'replayed' ? 'replayedAt' : 'discardedAt', { when: settledAt ? formatMoment(settledAt) : '' })}
          </Badge>
        )}
        <Meta as="time" dateTime={at} title={formatMoment(at)} className="tabular ml-auto">
          {formatAgo(at)}
        </Meta>
      </p>
      <p className="wrap-anywhere">
        <bdi>{cause}</bdi>
      </p>
      <Meta className="tabular wrap-anywhere">
        {attempts === 0 ? t.rich('keyUnfit', { key, bdi }) : t.rich('keyTried', { count: attempts, key, bdi })}
      </Meta>
      <p className="rounded-md bg-sunken px-3 py-2 text-note wrap-anywhere">
        <bdi>{outline}</bdi>
      </p>
      <div className="flex flex-wrap gap-2">
        {state === 'waiting' && (
          <>
            {replayable && (
              <Button variant="secondary" onClick={() => onAsk('replay')}>
                {t('replay')}
              </Button>
            )}
            <Button variant="secondary" onClick={() => onAsk('discard')}>
              {t('discard')}
            </Button>
          </>
        )}
        <Whole id={id} />
      </div>
    </Card>
  );
}

/**
 * The full text of a dead letter. Shown only after a press, because it may contain personal data and each view is
 * audited.
 */
function Whole({ id }: { id: string }) {
  const t = useTexts(texts);
  const [isShown, setShown] = useState(false);
  const look = useAction({
    mutationFn: () => lookAtLetter(id),
    onSuccess: () => setShown(true),
    failed: t('notShown'),
  });
  return (
    <>
      <Button
        variant="quiet"
        aria-expanded={isShown}
        pending={look.isPending}
        onClick={() => (isShown ? setShown(false) : look.mutate())}
      >
        {isShown ? t('hideAgain') : t('showAll')}
      </Button>
      {!isShown && (
        <Meta as="span" className="self-center">
          {t('personalData')}
        </Meta>
      )}
      {isShown && look.data && (
        <div className="grid w-full grid-cols-1 gap-2">
          <p className="whitespace-pre-wrap text-note wrap-anywhere">
            <bdi>{look.data.cause}</bdi>
          </p>
          <pre className="rounded-md bg-sunken p-3 text-note whitespace-pre-wrap wrap-anywhere">
            {look.data.message}
          </pre>
          {look.data.isCut && <Meta>{t('isCut')}</Meta>}
          {look.data.stack.length > 0 && (
            <pre className="rounded-md bg-sunken p-3 text-note whitespace-pre-wrap wrap-anywhere">
              {look.data.stack.join('\n')}
            </pre>
          )}
        </div>
      )}
    </>
  );
}

const ASKED = {
  replay: { title: 'replayThis', keep: 'replayKeep', act: 'replayIt', acting: 'replaying', done: 'replayDone' },
  discard: { title: 'discardThis', keep: 'discardKeep', act: 'discardIt', acting: 'discarding', done: 'discardDone' },
} as const;

interface Asked {
  letter: DeadLetterItem;
  how: Settling;
}

interface SettleDialogProps extends Asked {
  onClose: () => void;
  onSettled: () => void;
}

function SettleDialog({ letter: { id, group, type }, how, onClose, onSettled }: SettleDialogProps) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const { title, keep, act, acting, done } = ASKED[how];
  const renew = () => queries.invalidateQueries({ queryKey: [LETTERS] });
  const settle = useAction({
    mutationFn: () => settleLetter(id, how),
    done: { title: t(done), at: pathname },
    onSuccess: async () => {
      onClose();
      await renew();
      // Moves the focus, because the pressed button left the list with its dead letter.
      onSettled();
    },
    // Another admin may have settled the dead letter.
    onError: renew,
  });
  return (
    <ConfirmDialog
      title={t(title)}
      action={t(act)}
      acting={t(acting)}
      variant={how === 'discard' ? 'danger' : 'primary'}
      keep={t(keep)}
      mutation={settle}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{t(how === 'replay' ? 'replayWhy' : 'discardWhy', { type, group })}</p>
      <Meta>{t('recorded')}</Meta>
    </ConfirmDialog>
  );
}
