/**
 * The compiler's incremental state: the next run checks only what changed. A copied tree may start with a copy of it.
 */
export const TYPES_SEEN = '.cache/types.tsbuildinfo'

/**
 * The compiler and its arguments: checks all files and writes none. Two checkers: each one resolves the types anew, so
 * on two cores two of them take two thirds of the time, and CPU, of the default four.
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
