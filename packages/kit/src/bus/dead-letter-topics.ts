const SUFFIX = '.dead-letters';

/** Where a group puts what it cannot handle. */
export const deadLetterTopic = (group: string): string => group + SUFFIX;
export const isLetters = (topic: string): boolean => topic.endsWith(SUFFIX);

/** By it a group's dead letters come again, to nobody else. */
export const retryTopic = (group: string): string => `${group}.retries`;
