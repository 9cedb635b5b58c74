/** What was found of each file, so that the next look reads only what changed; another tree may begin with a copy. */
export const TYPES_SEEN = '.cache/types.tsbuildinfo'

/**
 * The compiler and its arguments: every file looked at, none written. Checkers each learn the types they meet anew:
 * on two cores two of them take two thirds of the time that four take, and of the processor.
 */
export const TYPES = [
  'node_modules/typescript/bin/tsc',
  '--noEmit',
  '--preserveSymlinks',
  '--incremental',
  '--tsBuildInfoFile',
  TYPES_SEEN,
  '--checkers',
  '2',
] as const
