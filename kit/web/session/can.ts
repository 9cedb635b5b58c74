import { useSession } from './session.ts'

/** Whether the user may do what a permission code stands for. */
export const useCan = (code: string) => useSession((session) => session.permissions[code] === true)
