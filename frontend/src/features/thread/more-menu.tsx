import Ellipsis from 'lucide-react/icons/ellipsis';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useSession } from '../../lib/session/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import type { Reportable } from '../../lib/report/report-content-dialog.tsx';
import { useNames, type Person } from './person.ts';
import { texts } from './texts.en.ts';
import type { ThreadActions } from './thread-dialogs.tsx';

interface MoreMenuProps<Item> {
  item: Item;
  reportable: Reportable;
  label: string;
  actions: ThreadActions<Item>;
  /** Whether the author may edit the contribution. */
  isChangeable?: boolean;
  /** Entries to show above the common entries. */
  more?: readonly MenuEntry[];
}

/** The menu of a contribution for signed-in readers: edit, delete or hide, report, block. */
export function MoreMenu<Item extends Person & { isOwn: boolean; mayRemove: boolean }>({
  item,
  reportable,
  label,
  actions,
  isChangeable = false,
  more = [],
}: MoreMenuProps<Item>) {
  const t = useTexts(texts);
  const name = useNames()(item);
  const { user } = useSession();
  if (!user) return null;
  const { isOwn, mayRemove } = item;
  const items: MenuEntry[] = [
    ...(isOwn && isChangeable ? [{ label: t('change'), onSelect: () => actions.onEdit(item) }] : []),
    ...more,
    ...(mayRemove ? [{ label: isOwn ? t('delete') : t('hide'), onSelect: () => actions.onRemove(item) }] : []),
    ...(isOwn
      ? []
      : [
          { label: t('report'), onSelect: () => actions.onReport(reportable) },
          { label: t('blockOne', { name }), onSelect: () => actions.onBlock(item) },
        ]),
  ];
  return (
    <Menu
      trigger={
        <IconButton label={label} className="-mr-2">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      items={items}
    />
  );
}
