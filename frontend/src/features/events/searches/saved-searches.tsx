import {
  MAX_SAVED_SEARCHES,
  MAX_SEARCH_NAME,
  RenameSearchBody,
  type SavedSearch,
} from '@beltway/contracts/catalog/saved-searches';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { useFields } from '../../../lib/forms/form.ts';
import { explain } from '../../../lib/http/http.ts';
import { useHashSection } from '../../../lib/navigation/hash-section.ts';
import { ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { texts as feed } from '../texts.en.ts';
import { useAction } from '../../../lib/actions/use-action.ts';
import { deleteSearch, refreshSearches, renameSearch, savedSearchesQuery, SEARCHES_SECTION } from './api.ts';
import { factsOf, filterOfKept, pathOfKept } from './kept-search.ts';
import { texts } from './texts.en.ts';

/** A list of the account's saved searches. The user can open, rename and delete them. */
export function SavedSearches() {
  const t = useTexts(texts);
  // Loads these texts, because they contain the labels of the filters.
  useTexts(feed);
  const found = useQuery({ ...savedSearchesQuery(), staleTime: 0 });
  const { place, heading } = useHashSection(SEARCHES_SECTION);
  const { data, error } = found;
  return (
    <section
      ref={place}
      id={SEARCHES_SECTION}
      aria-labelledby="saved-searches-title"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <h2 id="saved-searches-title" ref={heading} tabIndex={-1} className="text-title outline-none">
        {t('savedSearches')}
      </h2>
      {data ? (
        // The heading gets the focus, because the pressed button disappears with its search.
        <List items={data.items} onDeleted={() => heading.current?.focus()} />
      ) : error ? (
        <ErrorState
          title={t('notLoaded')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('loading')}>
          <Skeleton className="h-24 rounded-lg" />
        </Loading>
      )}
    </section>
  );
}

function List({ items, onDeleted }: { items: SavedSearch[]; onDeleted: () => void }) {
  const t = useTexts(texts);
  const [renamed, setRenamed] = useState<SavedSearch | null>(null);
  if (items.length === 0)
    return (
      <Card as="div" ground="none" className="justify-items-start gap-3">
        <p className="text-ink-soft">{t('none')}</p>
        <ButtonLink to="/" variant="secondary">
          {t('findEvents')}
        </ButtonLink>
      </Card>
    );
  return (
    <Card as="div" ground="none" className="gap-3">
      <Meta>{t('ringBell', { count: String(items.length), max: String(MAX_SAVED_SEARCHES) })}</Meta>
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {items.map((one) => (
          <Row key={one.id} saved={one} onRename={() => setRenamed(one)} onDeleted={onDeleted} />
        ))}
      </ul>
      {renamed && <RenameDialog saved={renamed} onClose={() => setRenamed(null)} />}
    </Card>
  );
}

function Row({ saved, onRename, onDeleted }: { saved: SavedSearch; onRename: () => void; onDeleted: () => void }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const { id, name, search } = saved;
  const path = pathOfKept(search);
  const filter = filterOfKept(search);
  const facts = filter ? factsOf(filter) : Object.entries(search).map(([key, value]) => `${key}: ${value}`);
  const deleting = useAction({
    mutationFn: () => deleteSearch(id),
    onSuccess: () => {
      queries.setQueryData(
        savedSearchesQuery().queryKey,
        (before) => before && { items: before.items.filter((one) => one.id !== id) },
      );
      onDeleted();
    },
    failed: t('notDeleted'),
  });
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line py-3 last:border-b-0">
      <div className="grid min-w-0 gap-0.5">
        {path ? (
          <Link to={path} className="wrap-anywhere font-strong underline underline-offset-4">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <span className="wrap-anywhere font-strong">
            <bdi>{name}</bdi>
          </span>
        )}
        <Meta as="span" className="wrap-anywhere">
          <bdi>{facts.join(' · ')}</bdi>
        </Meta>
      </div>
      <div className="flex shrink-0">
        <IconButton label={t('renameOf', { name })} aria-haspopup="dialog" onClick={onRename}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label={t('deleteOf', { name })} disabled={deleting.isPending} onClick={() => deleting.mutate()}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

function RenameDialog({ saved, onClose }: { saved: SavedSearch; onClose: () => void }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const renaming = useMutation({
    mutationFn: (name: string) => renameSearch(saved.id, name),
    onSuccess: (now) => {
      queries.setQueryData(
        savedSearchesQuery().queryKey,
        (before) => before && { items: before.items.map((one) => (one.id === now.id ? now : one)) },
      );
      onClose();
    },
    // Reloads the list, because the search may have been deleted elsewhere.
    onError: () => refreshSearches(queries),
  });
  const form = useFields({
    schema: RenameSearchBody,
    initial: { name: saved.name },
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
      <TextField {...form.bind('name')} label={t('name')} maxLength={MAX_SEARCH_NAME} autoComplete="off" />
    </FormDialog>
  );
}
