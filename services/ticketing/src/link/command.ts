/**
 * The id of the command that begins this generation of the link and ends the previous generation. If two concurrent
 * commands have this id, only one of them is decided.
 */
export const linkCommand = (orderId: string, linkGeneration: number) => `link:${orderId}:${linkGeneration}`;
