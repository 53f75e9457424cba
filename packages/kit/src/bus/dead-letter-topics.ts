const SUFFIX = '.dead-letters';

/** Where a group puts what it cannot handle. */
export const deadLetterTopic = (group: string): string => group + SUFFIX;
export const isLetters = (topic: string): boolean => topic.endsWith(SUFFIX);
export const groupOfLetters = (topic: string): string => topic.slice(0, -SUFFIX.length);

/** By it a group's dead letters come again, to nobody else. */
export const retryTopic = (group: string): string => `${group}.retries`;
