import { useSession } from './session.ts'

/**
 * Permission codes a user can hold are those of buttons, which contain "_"; the code of a menu alone never grants
 * anything.
 */
export type ButtonPermissionCode = `${string}_${string}`

/** Returns whether the user holds a permission. */
export const useHasPermission = (code: ButtonPermissionCode) =>
  useSession((session) => session.permissions[code] === true)
