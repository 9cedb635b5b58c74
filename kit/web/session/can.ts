import { useSession } from './session.ts'

/** What a person holds is told by buttons; a menu's own code is none of them, and asking for it would always say no. */
export type ButtonPermissionCode = `${string}_${string}`

/** Whether the user may do what a permission code stands for. */
export const useHasPermission = (code: ButtonPermissionCode) =>
  useSession((session) => session.permissions[code] === true)
