import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  liveChat: 'Live chat',
  liveChatOf: 'Live chat<hidden> of {name}</hidden>',
  open: 'Open the chat',
  theChat: 'The chat',
  loading: 'The chat is loading',
} as const;
export const texts = catalog(english, { es: () => import('./section.texts.es.ts') });
