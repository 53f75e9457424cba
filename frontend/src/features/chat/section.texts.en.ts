import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  liveChat: 'Live chat',
  liveChatOf: 'Live chat<hidden> of {name}</hidden>',
  open: 'Open the chat',
  theChat: 'the chat',
  loading: 'Loading the chat',
} as const;
export const texts = catalog(english, { es: () => import('./section.texts.es.ts') });
