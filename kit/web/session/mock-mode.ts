import { getStoredValue } from '../base/storage.ts'

/**
 * Whether this build can simulate the server: in development, or if built with VITE_MOCK=1. In other builds no link
 * turns it on.
 */
const MAY_MOCK = import.meta.env.DEV || import.meta.env.VITE_MOCK === '1'

/** Returns whether this browser simulates the server itself: turned on by `?mock=1` and kept until `?mock=0`. */
export const isMockMode = () => MAY_MOCK && getStoredValue<boolean>('mock') === true
