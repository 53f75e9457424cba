// No zod here: the frontend checks tags while the organizer types.

/**
 * One word of letters and digits of any script, with or without #. URLs and hashtags can contain such a word unescaped.
 */
export const isTag = (text: string): boolean => /^#?[\p{L}\p{M}\p{N}]+$/u.test(text);
