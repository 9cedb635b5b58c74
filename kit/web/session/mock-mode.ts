import { getStoredValue } from '../storage.ts'

/**
 * Whether this build can play the server itself: while developing, and where it was built for that (VITE_MOCK=1). No
 * link switches it on elsewhere.
 */
const MAY_MOCK = import.meta.env.DEV || import.meta.env.VITE_MOCK === '1'

/** True when this browser plays the server itself: asked for by `?mock=1`, kept until `?mock=0`. */
export const isMockMode = () => MAY_MOCK && getStoredValue<boolean>('mock') === true
