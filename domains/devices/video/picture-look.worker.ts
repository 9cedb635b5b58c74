import { parentPort } from 'node:worker_threads'
import { greyThumbnail } from './image-stats.ts'

/** Looks at pictures in a thread of its own: how long that takes is decided by whoever sends them. */
parentPort!.on('message', (bytes: Uint8Array) => parentPort!.postMessage(greyThumbnail(bytes)))
