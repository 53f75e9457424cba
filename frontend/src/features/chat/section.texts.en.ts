export const texts = {
  liveChat: 'Live chat',
  liveChatOf: 'Live chat<hidden> of {name}</hidden>',
  theChat: 'The chat',
  loading: 'The chat is loading',
} as const;
