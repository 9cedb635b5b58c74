import { createContext, useContext } from 'react'

/**
 * Whether the form wants the field around an input filled in; the form says so once for whatever input stands there.
 */
export const RequiredInputContext = createContext(false)

/** For `aria-required`; absent where nothing is asked for. */
export const useAriaRequired = (): true | undefined => useContext(RequiredInputContext) || undefined
