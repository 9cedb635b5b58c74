import { recall } from './storage.ts'

/** True when this browser plays the server itself: asked for by `?mock=1`, kept until `?mock=0`. */
export const mocked = () => recall<boolean>('mock') === true
