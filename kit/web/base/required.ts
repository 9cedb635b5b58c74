import { createContext, useContext } from 'react'

/**
 * Whether the form requires the field around an input. Provided by the form, so that every input inside can read it.
 */
export const RequiredInputContext = createContext(false)

/** Returns the value of `aria-required`: true in a required field, undefined otherwise. */
export const useAriaRequired = (): true | undefined => useContext(RequiredInputContext) || undefined
