/** No program can start in a sandbox with fewer open files than this. */
export const MIN_OPEN_FILES = 16;
