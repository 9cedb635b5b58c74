const LIMIT = 500 * 1024

/** Returns the text key of why a file cannot be an avatar; undefined if it can. */
export function findAvatarProblem(file: { type: string; size: number }) {
  if (!['image/jpeg', 'image/png'].includes(file.type)) return 'info.avatar.type' as const
  return file.size > LIMIT ? ('info.avatar.size' as const) : undefined
}
