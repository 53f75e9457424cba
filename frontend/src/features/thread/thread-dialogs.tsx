import { useMutation } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/toast.ts';
import { useNames, type Person } from './person.ts';
import { blockPerson, useShownPosts } from './posts-api.ts';
import { useShownQuestions } from './questions-api.ts';
import type { Reportable } from '../../lib/report/report-content-dialog.tsx';
import { texts as sharedTexts } from './shared.texts.en.ts';
import { texts } from './texts.en.ts';

const ConfirmDialog = lazily(async () => (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog);
const ReportContentDialog = lazily(
  async () => (await import('../../lib/report/report-content-dialog.tsx')).ReportContentDialog,
);

/** The actions that cards offer on their items. */
export interface ThreadActions<Item> {
  onEdit: (item: Item) => void;
  onRemove: (item: Item) => void;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
}

/** How an item is removed: deleted by its author, or hidden by a moderator. */
export interface Removal {
  isOwn: boolean;
  title: string;
  consequence: string;
  remove: () => Promise<unknown>;
  /** Removes the item from the lists on screen. */
  removeFromLists: () => void;
  refresh: () => Promise<void>;
}

interface ThreadDialogsOptions<Item> {
  /** The name of the edit dialog in the URL, and the dialog. */
  edit: [name: string, dialog: (item: Item, userId: number, close: () => void) => ReactNode];
  removal: (item: Item) => Removal;
  /** Called after the item was removed, to move the focus. */
  onRemoved: (item: Item) => void;
  onBlocked: (person: Person) => void;
}

/** Actions for cards, and their confirmation dialogs for the page to render. */
export function useThreadDialogs<Item>({ edit, removal, onRemoved, onBlocked }: ThreadDialogsOptions<Item>): {
  actions: ThreadActions<Item>;
  dialogs: ReactNode;
} {
  const { user } = useSession();
  const [item, chooseItem] = useState<Item | null>(null);
  const [person, choosePerson] = useState<Person | null>(null);
  const [reported, chooseReported] = useState<Reportable | null>(null);
  const [editName, editDialog] = edit;
  const [isEditing, setEditing] = useDialogEntry(editName);
  const [isRemoving, setRemoving] = useDialogEntry('remove');
  const [isReporting, setReporting] = useDialogEntry('report');
  const [isBlocking, setBlocking] = useDialogEntry('block');
  const opening =
    <Chosen,>(choose: (chosen: Chosen) => void, setOpen: (open: boolean) => void) =>
    (chosen: Chosen) => {
      choose(chosen);
      setOpen(true);
    };
  const actions: ThreadActions<Item> = {
    onEdit: opening<Item>((chosen) => chooseItem(() => chosen), setEditing),
    onRemove: opening<Item>((chosen) => chooseItem(() => chosen), setRemoving),
    onBlock: opening<Person>(choosePerson, setBlocking),
    onReport: opening<Reportable>(chooseReported, setReporting),
  };
  // The page stays visible while the texts of a dialog load.
  const dialogs = user && (
    <Suspense>
      {isEditing && item && editDialog(item, user.id, () => setEditing(false))}
      {isRemoving && item && (
        <RemoveDialog
          removal={removal(item)}
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            setRemoving(false);
            onRemoved(item);
          }}
        />
      )}
      {isReporting && reported && <ReportContentDialog reported={reported} onClose={() => setReporting(false)} />}
      {isBlocking && person && (
        <BlockDialog
          person={person}
          onClose={() => setBlocking(false)}
          onBlocked={() => {
            setBlocking(false);
            onBlocked(person);
          }}
        />
      )}
    </Suspense>
  );
  return { actions, dialogs };
}

interface RemoveDialogProps {
  removal: Removal;
  onClose: () => void;
  onRemoved: () => void;
}

function RemoveDialog({ removal, onClose, onRemoved }: RemoveDialogProps) {
  const t = useTexts(texts);
  const mutation = useMutation({
    mutationFn: removal.remove,
    onSuccess: () => {
      removal.removeFromLists();
      onRemoved();
      return removal.refresh();
    },
  });
  return (
    <ConfirmDialog
      title={removal.title}
      description={removal.consequence}
      action={removal.isOwn ? t('delete') : t('hide')}
      mutation={mutation}
      onClose={onClose}
    />
  );
}

interface BlockDialogProps {
  person: Person;
  onClose: () => void;
  onBlocked: () => void;
}

function BlockDialog({ person, onClose, onBlocked }: BlockDialogProps) {
  const t = useTexts(texts);
  const shared = useTexts(sharedTexts);
  const shown = [useShownPosts(), useShownQuestions()];
  const name = useNames()(person);
  const mutation = useMutation({
    mutationFn: () => blockPerson(person.userId),
    onSuccess: () => {
      for (const { remove } of shown) remove(({ userId }) => userId === person.userId);
      onBlocked();
      toast({
        title: t('blocked', { name }),
        link: { to: '/account', text: shared('blockedPeople') },
        at: window.location.pathname,
      });
      return Promise.all(shown.map(({ refresh }) => refresh()));
    },
  });
  return (
    <ConfirmDialog
      title={t('blockTitle', { name })}
      description={t('blockWhy')}
      action={t('block')}
      mutation={mutation}
      onClose={onClose}
    />
  );
}
