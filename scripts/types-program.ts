/** What was found of each file, so that the next look reads only what changed; another tree may begin with a copy. */
export const TYPES_SEEN = '.cache/types.tsbuildinfo'

/** The compiler and its arguments: every file looked at, none written. */
export const TYPES = [
  'node_modules/typescript/bin/tsc',
  '--noEmit',
  '--preserveSymlinks',
  '--incremental',
  '--tsBuildInfoFile',
  TYPES_SEEN,
] as const
