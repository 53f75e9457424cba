// No zod here: the page checks tags while they are typed.

/** One word of letters and digits of any script, with its # or without: it stands in an address and in a hashtag as it is typed. */
export const isTag = (text: string): boolean => /^#?[\p{L}\p{M}\p{N}]+$/u.test(text);
