export const texts = {
  liveChat: 'Chat en vivo',
  liveChatOf: 'Chat en vivo<hidden> de {name}</hidden>',
  open: 'Abrir el chat',
  theChat: 'El chat',
  loading: 'Cargando el chat',
};
