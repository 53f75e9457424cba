import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './section.texts.en.ts';

export const texts = {
  liveChat: 'Chat en vivo',
  liveChatOf: 'Chat en vivo<hidden> de {name}</hidden>',
  theChat: 'El chat',
  loading: 'Cargando el chat',
} as const satisfies Translated<typeof english>;
