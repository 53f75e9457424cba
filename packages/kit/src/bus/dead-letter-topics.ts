const SUFFIX = '.dead-letters';

/** The topic for messages that a group cannot handle. */
export const deadLetterTopic = (group: string): string => group + SUFFIX;
export const isLetters = (topic: string): boolean => topic.endsWith(SUFFIX);
export const groupOfLetters = (topic: string): string => topic.slice(0, -SUFFIX.length);

/** The topic through which dead letters are replayed to this group only. */
export const retryTopic = (group: string): string => `${group}.retries`;
